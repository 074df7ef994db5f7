/// What can stand in the body of a ``PluginPoint``: a ``Candidate``, a point, or an array of elements.
///
/// One protocol, and not one overload of the builder for each of them, tells the compiler the context of what stands
/// there: a key path that is misspelled is reported as such.
public protocol PluginPart<Service, Context> {
  /// The service of the point.
  associatedtype Service: Sendable

  /// The context of the point's rules.
  associatedtype Context: Sendable

  /// The elements it adds to the point.
  @_documentation(visibility: internal)
  var pluginElements: [PluginElement<Service, Context>] { get }
}

extension Candidate: PluginPart {
  /// The candidate, as an element.
  @_documentation(visibility: internal)
  public var pluginElements: [PluginElement<Service, Context>] { [.candidate(self)] }
}

extension PluginPoint: PluginPart {
  /// The point, as an element.
  @_documentation(visibility: internal)
  public var pluginElements: [PluginElement<Service, Context>] { [.point(self)] }
}

extension PluginElement: PluginPart {
  /// The element.
  @_documentation(visibility: internal)
  public var pluginElements: [Self] { [self] }
}

extension Array: PluginPart where Element: PluginPart {
  /// The elements of all.
  @_documentation(visibility: internal)
  public var pluginElements: [PluginElement<Element.Service, Element.Context>] { flatMap(\.pluginElements) }
}
