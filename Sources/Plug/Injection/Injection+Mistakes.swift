// Overloads that nobody can call: with them, the compiler says what is wrong with a likely mistake, and what to write.
// `Tests/Refused` shows each one.

extension Injection {
  /// Refuses an asynchronous closure.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "only .lazySingleton and .scoped can be made asynchronously")
  public static func factory(_ load: @escaping @Sendable () async throws -> Service) -> Self { fatalError() }
}
