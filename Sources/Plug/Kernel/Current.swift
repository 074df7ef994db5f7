import Synchronization

// The current injector of a task, which an instance that outlives it must not find.

extension Injector {
  /// The injector that the rules of a point receive if the point is used without an injector.
  static var asked: Injector { Injector.default.active }

  /// The value that a task inherits. It is a structure with specialized code for copying: an optional takes twice as
  /// many instructions.
  struct Inheritance: Sendable {
    let injector: Injector?
  }

  static let inheritance = TaskLocal(wrappedValue: Inheritance(injector: nil))

  /// The injector that was current when an instance that outlives it began to be made.
  private static let hidden = TaskLocal(wrappedValue: Inheritance(injector: nil))

  /// The injector that was current when the calling code began to make an instance that outlives it.
  static var hiddenCurrent: Injector? { hasBeenCurrent.load(ordering: .relaxed) ? hidden.get().injector : nil }

  private static let hasBeenCurrent = Atomic(false)

  /// What tasks inherit while this injector is the current one.
  var inheritance: Inheritance {
    Self.hasBeenCurrent.store(true, ordering: .relaxed)
    return Inheritance(injector: self)
  }

  /// The current injector, if an instance that this injector keeps outlives it.
  @inline(__always) private var outlived: Injector? {
    guard Self.hasBeenCurrent.load(ordering: .relaxed), let inner = Self.inheritance.get().injector else { return nil }
    let current = inner.active
    return levels.contains { $0 === current } ? nil : current
  }

  /// Makes an instance that this injector keeps. If it outlives the current injector, this one is current meanwhile, so
  /// that tasks which a factory begins do not inherit the scope of whatever request came first.
  @inline(__always)
  func keeping<Result>(
    _ registration: Registration, _ make: () throws -> Result
  ) throws -> Result {
    guard let outlived else { return try make() }
    let result = Self.hidden.withValue(Inheritance(injector: outlived)) {
      Self.inheritance.withValue(Inheritance(injector: owner(of: registration, beside: outlived))) {
        Swift.Result { try make() }
      }
    }
    return try result.get()
  }

  /// The injector that is current instead of one that an instance outlives.
  private func owner(of registration: Registration, beside outlived: Injector) -> Injector {
    if isHome { return .asked }
    let outermost = outlived.level(at: 0)
    // A lazy value of the program is kept by no injector of a user.
    let isOfProgram = registration.key.isOfProgram && outermost !== level(at: 0)
    return isOfProgram ? outermost : self
  }

  /// Loads an instance that this injector keeps, in the same way.
  func keeping<Result>(_ load: () async throws -> Result) async throws -> Result {
    guard let outlived else { return try await load() }
    return try await Self.hidden.withValue(Inheritance(injector: outlived)) {
      try await Self.inheritance.withValue(Inheritance(injector: self), operation: load)
    }
  }
}
