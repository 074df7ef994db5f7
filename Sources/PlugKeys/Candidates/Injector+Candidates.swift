public import Plug

extension Injector {
  /// Lists the candidates of a service in a context, without making any.
  ///
  /// ```swift
  /// let menu = try services.candidates(
  ///   of: (any Exporter).self, in: document)
  /// for item in menu where item.applies {
  ///   show(item.metadata(Entry.self)?.title ?? item.id)
  /// }
  /// let exporter = try services.get(
  ///   (any Exporter).self, candidate: "pdf", in: document)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - context: The value that the candidates' rules look at.
  /// - Returns: The candidates that apply, in the order of `getAll(_:tag:in:)`, followed by
  ///   those that do not apply, by priority. A registration without candidates is listed as `"default"`. The list is
  ///   empty if the service is not registered.
  /// - Throws: `InjectorError.contextMismatch`, `InjectorError.closed`.
  /// - Complexity: O(*n*) rules for *n* candidates.
  public func candidates<Service: Sendable, Context: Sendable>(
    of type: Service.Type, tag: Tag? = nil, in context: Context
  ) throws(InjectorError) -> [ListedCandidate] {
    let injector = active
    return try InjectorError.entering {
      try ContextReference.with(context) { try [ListedCandidate](injector.choices(of: Key(type, tag), in: $0)) }
    }
  }

  /// Lists the candidates of a service in the context that the injector provides, without making any.
  ///
  /// Contributions need no context, and those of a scope follow the inherited ones. See ``candidates(of:tag:in:)``.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  /// - Returns: The candidates that apply, followed by those that do not.
  /// - Throws: `InjectorError.contextMissing` if the context of rules is not registered, or the error that prevented it
  ///   from being made; `InjectorError.closed`.
  /// - Complexity: O(*n*) rules for *n* candidates.
  public func candidates<Service: Sendable>(
    of type: Service.Type, tag: Tag? = nil
  ) throws(InjectorError) -> [ListedCandidate] {
    try InjectorError.entering { try [ListedCandidate](active.choices(of: Key(type, tag), in: nil)) }
  }

  /// Gets the candidate with an id, if it applies in a context, whatever its position.
  ///
  /// The rules, switches and failure policies that decide about the candidate are those of a choice among all. Only its
  /// own rule, and the rules of its points, are evaluated.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - candidate: The id of the candidate; `"default"` for the registration without a rule.
  ///   - context: The value that the candidates' rules look at.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance, which is the one that a choice would return.
  /// - Throws: `InjectorError.notRegistered`, with the nearest id if the service has no such candidate;
  ///   `InjectorError.noCandidate` with an `Explanation` if the candidate does not apply;
  ///   `InjectorError.contextMismatch`; or the error that prevented the instance from being made.
  public func get<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, candidate: String, in context: Context,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Service {
    try ContextReference.with(context) { (context) throws(InjectorError) in
      try box(for: Key(type, tag), candidate: candidate, in: context, fileID, line)
    }.open()
  }

  /// Gets the candidate with an id, if it applies in the context that the injector provides.
  ///
  /// ```swift
  /// let job = try services.get((any Job).self, candidate: "cleanup")
  /// ```
  ///
  /// See ``get(_:tag:candidate:in:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - candidate: The id of the candidate or contribution; `"default"` for the registration without a rule.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: The errors of ``get(_:tag:candidate:in:fileID:line:)``; `InjectorError.contextMissing` if the context of
  ///   rules is not registered.
  public func get<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, candidate: String, fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(InjectorError) -> Service {
    try box(for: Key(type, tag), candidate: candidate, in: nil, fileID, line).open()
  }

  /// Gets the candidate with an id, if it applies in a context, and first loads all of its dependencies that are made
  /// asynchronously.
  ///
  /// It loads like `load(_:tag:in:)`, and selects like
  /// ``get(_:tag:candidate:in:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - candidate: The id of the candidate.
  ///   - context: The value that the candidates' rules look at.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: The errors of these two methods.
  public func load<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, candidate: String, in context: Context,
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws(InjectorError) -> Service {
    let key = Key(type, tag)
    return try await loading(fileID, line) { injector in
      try ContextReference.with(context) { try injector.box(for: key, candidate: candidate, in: $0) }
    }.open()
  }
}

extension PluginPoint {
  /// Lists the candidates in a context, without making any. See ``Plug/Injector/candidates(of:tag:in:)``.
  ///
  /// - Parameter context: The value that the rules look at.
  /// - Returns: The candidates that apply, in order, followed by those that do not.
  /// - Throws: `InjectorError.circularDependency` or `InjectorError.depthExceeded` if these left all rules undecided.
  /// - Complexity: O(*n*) rules for *n* candidates.
  public func candidates(in context: Context) throws(InjectorError) -> [ListedCandidate] {
    try InjectorError.entering {
      try ContextReference.with(context) { try [ListedCandidate]([choice(in: $0)]) }
    }
  }

  /// Gets the candidate with an id, if it applies. See ``Plug/Injector/get(_:tag:candidate:in:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate.
  ///   - context: The value that the rules look at.
  /// - Returns: The instance. No other candidate's instance is made.
  /// - Throws: `InjectorError.notRegistered`, with the nearest id if there is no such candidate;
  ///   `InjectorError.noCandidate` with an `Explanation` if it does not apply; or the error that prevented the instance
  ///   from being made.
  public func get(candidate: String, in context: Context) throws(InjectorError) -> Service {
    try InjectorError.entering {
      try ContextReference.with(context) { try box(candidate: candidate, in: $0) }
    }.open()
  }
}
