import Synchronization

/// A redirection of requests from injectors to their copies, for isolated tests and previews.
package protocol Redirection: AnyObject, Sendable {
  /// Distinguishes the injectors that were made under the redirection from others.
  var number: UInt { get }

  /// Whether objects that are made under the redirection use it for as long as they live.
  var isPreview: Bool { get }

  /// Whether the calling code sets up objects of the program, which all tests share.
  var isSettingUp: Bool { get }

  /// The hooks that see the choices made under the redirection.
  var watch: (any Hooks)? { get }

  /// Whether the redirection has a number, or began inside the redirection with that number.
  func isInside(_ number: UInt) -> Bool

  /// Returns the injector that answers in place of another one.
  func copy(of injector: Injector) -> Injector

  /// Returns the injector that a name refers to.
  func find(_ environment: Environment) -> Injector

  /// Returns the replacement of an object that keeps instances itself.
  func isolated<Object: AnyObject & Sendable>(_ object: Object, _ make: () -> Object) -> Object
}

extension Layers {
  private struct Inheritance {
    var redirection: (any Redirection)?
  }

  @TaskLocal private static var inheritance = Inheritance()

  /// The redirection of the requests of the calling task or thread.
  package static var redirection: (any Redirection)? { isRedirecting ? inheritance.redirection : nil }

  package static func withRedirection<Result>(
    _ redirection: any Redirection, _ body: () throws -> Result
  ) rethrows -> Result {
    try $inheritance.withValue(Inheritance(redirection: redirection), operation: body)
  }

  package static func withRedirection<Result>(
    _ redirection: any Redirection, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $inheritance.withValue(Inheritance(redirection: redirection), operation: body)
  }

  /// The number for injectors and properties that are made here; 0 for those of the program.
  package static var sandbox: UInt { redirection.map { $0.isSettingUp ? 0 : $0.number } ?? 0 }

  /// The hooks that see the choices of the calling test.
  @inline(__always) static var watch: (any Hooks)? { isRedirecting ? redirection?.watch : nil }

  /// Returns the replacement of an object in the calling test; `nil` outside of a test.
  static func isolated<Object: AnyObject & Sendable>(_ object: Object, _ make: () -> Object) -> Object? {
    redirection?.isolated(object, make)
  }

  fileprivate static func redirect(_ injector: Injector) -> Injector? {
    guard let copy = redirection?.copy(of: injector), copy !== injector else { return nil }
    return copy
  }

  fileprivate typealias EscapeNote = @Sendable (Injector, _ location: () -> CodeLocation) -> Void

  fileprivate static let escapes = AtomicLazyReference<Boxed<EscapeNote>>()

  /// Begins to pass on each request that is not redirected although others are, unless something else does already.
  package static func watchEscapes(_ note: @escaping @Sendable (Injector, _ location: () -> CodeLocation) -> Void) {
    _ = escapes.storeIfNil(Boxed(note))
  }
}

extension Injector {
  // The way into an injector: each public function begins with one of these.

  /// The injector that answers: in an isolated test its copy of this one, and otherwise this one.
  package var active: Injector { redirected() ?? self }

  /// The injector that answers a user's request. A strict test records a request that has lost the isolation.
  ///
  /// - Parameter fileID: The file of the call; empty for a request by the library itself.
  package func active(_ fileID: StaticString, _ line: UInt) -> Injector { redirected(fileID, line) ?? self }

  /// The injector that a change affects. Changes that set up objects of the program affect the injector itself, even in
  /// a test.
  func activeForSetUp(at location: @autoclosure () -> CodeLocation) -> Injector {
    redirectedForSetUp(at: location()) ?? self
  }

  /// The injector that answers in place of this one; `nil` if none does.
  func redirected() -> Injector? { Layers.isRedirecting ? Layers.redirect(self) : nil }

  func redirected(_ fileID: StaticString, _ line: UInt) -> Injector? {
    guard Layers.isRedirecting else { return nil }
    let isKnown = fileID.hasPointerRepresentation && fileID.utf8CodeUnitCount > 0
    return isKnown ? redirected(at: CodeLocation(fileID: "\(fileID)", line: Int(line))) : Layers.redirect(self)
  }

  func redirectedForSetUp(at location: @autoclosure () -> CodeLocation) -> Injector? {
    // The test's own injector needs no look at the call stack.
    if let redirection = Layers.redirection, redirection.number == sandbox || redirection.isSettingUp { return nil }
    return redirected(at: location())
  }

  private func redirected(at location: @autoclosure () -> CodeLocation) -> Injector? {
    guard Layers.isRedirecting else { return nil }
    if Layers.redirection == nil { Layers.escapes.load()?.value(self, location) }
    return Layers.redirect(self)
  }

  /// Whether this injector is a copy of the calling test, or was made in the test.
  var isPrivate: Bool { sandbox != 0 && Layers.redirection?.number == sandbox }
}
