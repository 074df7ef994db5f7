/// A ``Provider`` of a service that is made from arguments: a wrong list of them does not compile.
///
/// ```swift
/// extension Injector {
///   var detail: ArgumentsProvider<Detail, UserID, Locale> {
///     provide { id, locale, injector in try Detail(id, locale, store: injector.get()) }
///   }
/// }
///
/// let detail = services.detail(id, locale)
/// ```
///
/// Declare it with `lifetime:` to keep one instance for equal arguments, see
/// ``Injector/register(as:tag:taking:_:lifetime:fileID:line:_:)``.
public struct ArgumentsProvider<Service: Sendable, First: Sendable, each Rest: Sendable>: Sendable {
  private let injector: Injector
  private let name: ProviderName
  private let makeEntry: @Sendable (Subject) -> ArgumentsEntry<Service, First, repeat each Rest>

  init(
    _ injector: Injector, _ name: ProviderName,
    _ makeEntry: @escaping @Sendable (Subject) -> ArgumentsEntry<Service, First, repeat each Rest>
  ) {
    self.injector = injector
    self.name = name
    self.makeEntry = makeEntry
  }

  /// Gives the service; if it cannot be made, the program ends with the diagnosis. ``get(_:_:fileID:line:)`` throws that.
  public func callAsFunction(
    _ first: First, _ rest: repeat each Rest, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Service {
    let property = ArgumentsProviderKey<Service, First, repeat each Rest>.name(tag: name.tag.rawValue).dropFirst()
    return orTrap("\(injector)\(property)(…) cannot be answered.", fileID, line) { () throws(InjectorError) in
      try get(first, repeat each rest, fileID: fileID, line: line)
    }
  }

  /// Gets the service.
  ///
  /// - Throws: What went wrong while the instance was made; ``InjectorError/scopeClosed(_:)``.
  public func get(
    _ first: First, _ rest: repeat each Rest, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service {
    let key = ArgumentsProviderKey<Service, First, repeat each Rest>.self
    return try injector.isolated(fileID, line).reporting(key, name.tag) { injector throws(InjectorError) in
      if let entry = try injector.lookUp(key, name.tag) {
        return try entry.instance(first, repeat each rest, for: injector)
      }
      let fresh = makeEntry(Subject(key, tag: name.tag, site: name.site))
      try injector.check(fresh)
      guard let entry = injector.root.registrations.ensure(key, fresh) else { throw injector.closed(key, name.tag) }
      return try entry.instance(first, repeat each rest, for: injector)
    }
  }
}

extension Injector {
  /// Declares a provider of a service that is made from arguments, anew for each request, see ``ArgumentsProvider``.
  public func provide<Service: Sendable, First: Sendable, each Rest: Sendable>(
    name: StaticString = #function, fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) -> ArgumentsProvider<Service, First, repeat each Rest> {
    ArgumentsProvider(self, .at(fileID, line, name)) { subject in ArgumentsEntry(make, .factory, subject: subject) }
  }

  /// Declares a provider that keeps one instance for equal arguments, see ``ArgumentsProvider``.
  public func provide<Service: Sendable, First: Hashable & Sendable, each Rest: Hashable & Sendable>(
    lifetime: Lifetime, name: StaticString = #function, fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (First, repeat each Rest, Injector) throws -> Service
  ) -> ArgumentsProvider<Service, First, repeat each Rest> {
    ArgumentsProvider(self, .at(fileID, line, name)) { subject in
      ArgumentsEntry(make, lifetime, comparable: makeComparable(), subject: subject)
    }
  }
}
