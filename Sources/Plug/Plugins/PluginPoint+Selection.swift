extension PluginPoint {
  /// The instances of all candidates that apply, in order.
  ///
  /// ```swift
  /// for provider in search.plugins(in: shopper) { show(provider.results) }
  /// ```
  ///
  /// It traps with a diagnostic if an instance cannot be made; ``getAll(in:)`` throws the error instead.
  ///
  /// - Parameters:
  ///   - context: The value the rules look at.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  /// - Complexity: O(*n*) rules for *n* candidates.
  public func plugins(in context: Context, fileID: StaticString = #fileID, line: UInt = #line) -> [Service] {
    do throws(InjectorError) {
      return try getAll(in: context)
    } catch {
      trap("plugins(in:) of the point \"\(id)\" failed.", error, fileID, line)
    }
  }

  /// The instance of the first candidate that applies; `nil` if none does.
  ///
  /// It traps with a diagnostic if the instance cannot be made; ``get(in:)`` throws the error instead.
  ///
  /// - Parameters:
  ///   - context: The value the rules look at.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  /// - Complexity: O(*n*) rules for *n* candidates, fewer if an early one applies.
  public func first(in context: Context, fileID: StaticString = #fileID, line: UInt = #line) -> Service? {
    do throws(InjectorError) {
      return try firstOrThrow(in: context)
    } catch {
      trap("first(in:) of the point \"\(id)\" failed.", error, fileID, line)
    }
  }

  /// Gets the instance of the first candidate that applies.
  ///
  /// - Parameter context: The value the rules look at.
  /// - Returns: The instance. The other candidates' instances are not made.
  /// - Throws: ``InjectorError/noCandidate(_:_:)`` with an ``Explanation`` if none applies, or what went wrong while
  ///   the instance was made.
  /// - Complexity: O(*n*) rules for *n* candidates, fewer if an early one applies.
  public func get(in context: Context) throws(InjectorError) -> Service {
    if let service = try firstOrThrow(in: context) { return service }
    throw .noCandidate(facts(at: location), explain(in: context))
  }

  /// Gets the instances of all candidates that apply, in order.
  ///
  /// - Parameter context: The value the rules look at.
  /// - Returns: The instances; an empty array if no candidate applies.
  /// - Throws: What went wrong while an instance was made.
  /// - Complexity: O(*n*) rules for *n* candidates.
  public func getAll(in context: Context) throws(InjectorError) -> [Service] {
    let (home, standalone) = (home, home.standalone(of: self))
    return try ContextReference.with(context) { (context) throws(InjectorError) in
      try Injector.asked.boxes(of: standalone.selector, standalone.registration, in: context) {
        (cell) throws(InjectorError) in try home.provide(cell, of: id)
      }
    }.map { $0.box.open() }
  }

  /// Explains for every candidate whether it applies, and why.
  ///
  /// Every rule is evaluated, and no instance is made.
  ///
  /// - Parameter context: The value the rules look at.
  /// - Returns: A `Codable` tree that prints as text.
  public func explain(in context: Context) -> Explanation {
    let standalone = home.standalone(of: self)
    return ContextReference.with(context) {
      standalone.selector.explanation(in: $0, for: .asked, standalone.registration)
    }
  }

  private func firstOrThrow(in context: Context) throws(InjectorError) -> Service? {
    let (home, standalone) = (home, home.standalone(of: self))
    return try ContextReference.with(context) { (context) throws(InjectorError) in
      try Injector.asked.firstBox(of: standalone.selector, standalone.registration, in: context) {
        (cell) throws(InjectorError) in try home.provide(cell, of: id)
      }
    }?.open(as: Service.self)
  }

  /// The facts about a failure of a point that is used by itself.
  func facts(candidate: String? = nil, at location: CodeLocation) -> InjectorError.Facts {
    Self.facts(id, candidate: candidate, at: location)
  }

  static func facts(_ id: String, candidate: String? = nil, at location: CodeLocation) -> InjectorError.Facts {
    var facts = InjectorError.Facts(about: Key(Service.self), candidate: candidate, in: .default)
    facts.values.point = id
    facts.values.registeredAt = location
    return facts
  }
}
