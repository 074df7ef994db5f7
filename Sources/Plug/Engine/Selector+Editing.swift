extension Selector {
  /// The elements that were registered singly, not with the whole point.
  var singles: [PluginElement<Service, Context>] {
    pointSite == nil ? elements : Array(elements.dropFirst())
  }

  /// The cells by the ids of their candidates.
  var cells: [String: Cell<Service>] {
    Dictionary(slots.map { ($0.candidate.id, $0.cell) }) { first, _ in first }
  }

  /// A selector with other elements and the same registration without a rule.
  func replacing(_ elements: [PluginElement<Service, Context>], reusing cells: [String: Cell<Service>]) -> Selector {
    Selector(
      name: name, rule: rule, elements: elements, fallback: fallback, tag: subject.tag, site: subject.site,
      pointSite: pointSite, reusing: cells)
  }
}
