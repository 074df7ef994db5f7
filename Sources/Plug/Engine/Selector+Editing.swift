/// The registration without a rule, as a candidate.
enum Fallback {
  /// Its id, which no other candidate beside it can have.
  static let id = "default"
}

extension Selector {
  /// The candidates that are registered for a service.
  ///
  /// - Parameter elements: If a whole point is registered, it comes first.
  convenience init(
    registered elements: [PluginElement<Service, Context>], fallback: Cell<Service>?, tag: Injector.Tag?,
    pointSite: CodeLocation?, reusing cells: Cells, judging original: Original? = nil
  ) {
    let first = elements.lazy.flatMap(\.candidates).first?.site
    let site = fallback?.subject.site ?? pointSite ?? first ?? CodeLocation(fileID: #fileID, line: #line)
    self.init(
      name: typeName(Service.self), elements: elements, fallback: fallback, tag: tag, site: site, pointSite: pointSite,
      reusing: cells, judging: original)
  }

  /// The elements that were registered singly, not with the whole point.
  var singles: [PluginElement<Service, Context>] {
    pointSite == nil ? elements : Array(elements.dropFirst())
  }

  /// The cells by the ids of their candidates, without the fallback's.
  var cells: Cells {
    let own = slots.filter { $0.cell !== fallback }.sorted { $0.ordinal < $1.ordinal }
    return Dictionary(grouping: own, by: \.id).mapValues { $0.map(\.cell) }
  }
}
