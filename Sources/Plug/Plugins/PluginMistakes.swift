// Overloads that nobody can call: with them, the compiler says what is wrong with a likely mistake, and what to write.
// `Tests/Refused` shows each one.

extension Injector {
  /// Refuses a rule of which nobody knows the context.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "state the context of the rule: when: Rule<Shopper>.feature(\"…\")")
  @discardableResult
  public func register<Service: Sendable>(
    as type: Service.Type = Service.self, tag: Tag? = nil, injectable injection: Injection<Service>,
    when rule: Rule<Unstated>, id: String? = nil, priority: Int = 0
  ) throws(InjectorError) -> Injector { fatalError() }
}

extension Candidate {
  /// Refuses a candidate without an id.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a candidate needs an id: Candidate(\"name\") { … }")
  public init(_ make: @escaping @isolated(any) @Sendable () throws -> Service) { fatalError() }

  /// Refuses a candidate without an id.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a candidate needs an id: Candidate(\"name\", .factory { … })")
  public init(_ injection: Injection<Service>) { fatalError() }

  /// Refuses an asynchronous closure by itself.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "use Candidate(\"name\", .lazySingleton { try await … }), and load it")
  public init(
    _ id: String, priority: Int = 0, _ load: @escaping @Sendable () async throws -> Service
  ) { fatalError() }
}

extension PluginPoint {
  /// Refuses a point without an id.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a point needs an id: PluginPoint<any Search, Shopper>(\"search\") { … }")
  public init(
    when rule: Rule<Context> = .enabled,
    @PluginBuilder<Service, Context> _ elements: () -> [PluginElement<Service, Context>]
  ) { fatalError() }
}
