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
    pointLocation: CodeLocation?, reusing cells: Cells
  ) {
    let first = elements.lazy.flatMap(\.candidates).first?.location
    let location =
      fallback?.declaration.location ?? pointLocation ?? first ?? CodeLocation(fileID: #fileID, line: #line)
    self.init(
      name: typeName(Service.self), elements: elements, fallback: fallback, tag: tag, location: location,
      pointLocation: pointLocation, reusing: cells)
  }

  /// The elements that were registered singly, not with the whole point.
  var singles: [PluginElement<Service, Context>] {
    pointLocation == nil ? elements : Array(elements.dropFirst())
  }

  /// The cells by the ids of their candidates, without the fallback's.
  var cells: Cells {
    let own = candidates.filter { $0.cell !== fallback }.sorted { $0.ordinal < $1.ordinal }
    return Dictionary(grouping: own, by: \.id).mapValues { $0.map(\.cell) }
  }
}
