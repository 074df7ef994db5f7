extension PluginPoint {
  /// The instances of all candidates that apply, in order.
  ///
  /// If one cannot be made, the program ends with the diagnosis; ``getAll(in:)`` throws it.
  ///
  /// - Complexity: O(*n*) rules for *n* candidates.
  @inlinable
  public func plugins(in context: Context, fileID: StaticString = #fileID, line: UInt = #line) -> [Service] {
    do throws(InjectorError) {
      return try selector.allStandalone(in: context)
    } catch {
      trap("plugins(in:) of the point \"\(id)\" failed.", error, fileID, line)
    }
  }

  /// The instance of the first candidate that applies; `nil` if none does.
  ///
  /// If it cannot be made, the program ends with the diagnosis; ``get(in:)`` throws it.
  ///
  /// - Complexity: O(*n*) rules for *n* candidates, and fewer if an early one applies.
  @inlinable
  public func first(in context: Context, fileID: StaticString = #fileID, line: UInt = #line) -> Service? {
    do throws(InjectorError) {
      return try selector.firstStandalone(in: context)
    } catch {
      trap("first(in:) of the point \"\(id)\" failed.", error, fileID, line)
    }
  }

  /// The instance of the first candidate that applies.
  ///
  /// - Throws: ``InjectorError/noCandidate(_:_:)`` if none applies, or what went wrong while it was made.
  public func get(in context: Context) throws(InjectorError) -> Service {
    guard let service = try selector.firstStandalone(in: context) else {
      throw .noCandidate(facts(at: location), selector.failure(in: context))
    }
    return service
  }

  /// The instances of all candidates that apply, in order.
  ///
  /// - Throws: What went wrong while one was made.
  @inlinable
  public func getAll(in context: Context) throws(InjectorError) -> [Service] {
    try selector.allStandalone(in: context)
  }

  /// Says of every candidate whether it applies, and why. Makes no instance.
  public func explain(in context: Context) -> Explanation {
    selector.explanation(in: context)
  }

  /// The facts about a failure of the point by itself.
  func facts(candidate: String? = nil, at location: CodeLocation) -> InjectorError.Facts {
    Self.facts(id, candidate: candidate, at: location)
  }

  static func facts(_ id: String, candidate: String? = nil, at location: CodeLocation) -> InjectorError.Facts {
    var facts = InjectorError.Facts(service: Service.self, tag: nil, candidate: candidate, in: .default)
    facts.point = id
    facts.registeredAt = location
    return facts
  }
}
