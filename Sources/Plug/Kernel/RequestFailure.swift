/// What the kernel throws: what failed, and the steps that led there. Diagnostics makes an error for users of it.
final class RequestFailure: RequestError {
  enum Cause: Sendable {
    /// Each scope must register the service.
    case absent
    /// This injector or one around it is closed. The name is the outer one's.
    case closed(by: Injector.Path?, isRoot: Bool)
    /// Scopes are nested too deeply.
    case nested(depth: Int32)
    case mainActorRequired
    /// The stack might overflow.
    case depthExceeded
    /// A long chain of loads repeats a service.
    case endlessChain
    /// Each attempt to load needed an instance of another scope.
    case endlessLoad
    /// The registration was replaced or reset in each attempt.
    case replaced
    case scopeRequired
    /// The steps begin and end with one registration.
    case cycle([Step])
    /// An instance that outlives the scope would keep the service. The steps begin with that instance.
    case captured([Step])
    case notLoaded(Missing)
    case cancelled
    case timedOut(Duration)
    /// Only an instance of a class can be held weakly. The value is the type of the instance.
    case valueType(String)
    /// A copy of an injector would configure an object that its original shares.
    case shared
    /// An instance that the request has used was abandoned by its maker.
    case abandoned
    /// Code of a user threw an error.
    case thrown(any Error, by: Culprit)
    case closingThrew(any Error)
    case closingTimedOut(Duration)
  }

  /// The code of a user that threw an error.
  enum Culprit: Sendable {
    case factory
    case decorator(String, CodeLocation)
    case configuration(CodeLocation)
  }

  let cause: Cause
  let registration: Registration
  /// The injector that received the request.
  let injector: Injector.Path
  /// The steps that led to the failure.
  let way: [Step]
  let requestedAt: CodeLocation?

  init(
    _ cause: Cause, _ registration: Registration, _ injector: Injector.Path, _ way: [Step],
    at requestedAt: CodeLocation? = nil
  ) {
    (self.cause, self.registration, self.injector, self.way) = (cause, registration, injector, way)
    self.requestedAt = requestedAt
  }

  var missing: Missing? { if case .notLoaded(let missing) = cause { missing } else { nil } }
  var needsMainActor: Bool { if case .mainActorRequired = cause { true } else { false } }

  var isOfThread: Bool {
    switch cause {
    case .cycle, .captured, .nested, .depthExceeded, .endlessChain, .endlessLoad, .replaced: true
    default: needsMainActor || missing != nil
    }
  }

  func asked(at location: CodeLocation?) -> RequestFailure {
    RequestFailure(cause, registration, injector, way, at: requestedAt ?? location)
  }
}

/// An error that a request ends with, as far as the kernel distinguishes errors.
protocol RequestError: Error {
  /// The instance that must be loaded before the request can be answered.
  var missing: Missing? { get }
  var needsMainActor: Bool { get }
  /// Whether the error concerns only the thread of the attempt, so that other requests look again.
  var isOfThread: Bool { get }
  /// The location of the innermost failed request.
  var requestedAt: CodeLocation? { get }

  /// Returns the error with the location of the failed request, unless it has one.
  func asked(at location: CodeLocation?) -> Self
}

extension Error {
  var ofRequest: (any RequestError)? { self as? any RequestError }

  /// Whether a load continues after this error.
  var isRetried: Bool { ofRequest.map { $0.needsMainActor || $0.missing != nil } ?? false }

  /// The outcome for requests that waited for an attempt that failed with this error.
  var outcomeForOthers: Cell.Outcome { ofRequest?.isOfThread == true ? .look : .failed(self) }
}

extension Injector {
  /// The names that lead to an injector.
  enum Path: Sendable {
    /// An injector without a parent, and its name.
    case root(name: String?)
    /// A scope, or an injector that has been released, with the names on the path.
    case inner(names: [String])
    /// There was no injector.
    case none

    init(_ injector: Injector) {
      let name = injector.isHome ? Injector.Name.default : injector.name
      self = injector.isScope ? .inner(names: injector.names) : .root(name: name?.rawValue)
    }
  }

  /// The names of the injectors from the outermost one to this one, without those that have no name.
  var names: [String] { levels.compactMap { $0.scopeName ?? $0.name?.rawValue }.reversed() }

  func failure(_ cause: RequestFailure.Cause, _ registration: Registration, _ way: [Step]) -> RequestFailure {
    RequestFailure(cause, registration, Path(self), way)
  }

  /// The failure of a request by this thread.
  func failure(_ cause: RequestFailure.Cause, _ registration: Registration) -> RequestFailure {
    failure(cause, registration, ThreadStack.current.with { $0.path })
  }

  /// The failure of a request to an injector that is closed, itself or around this one.
  func closed(_ registration: Registration, _ way: [Step]) -> RequestFailure {
    if depth > Self.depthLimit { return failure(.nested(depth: depth), registration, way) }
    let closed = Array(levels).last(where: \.isClosedItself)
    let outer = closed === self ? nil : closed
    return failure(.closed(by: outer.map(Path.init), isRoot: closed?.isScope == false), registration, way)
  }

  func closed(_ key: Key) -> RequestFailure {
    closed(Registration(unknown: key, depth: depth), ThreadStack.current.with { $0.path })
  }

  /// The failure of a cycle that leads back to an instance that the thread is making.
  func cycle(_ path: [Step], to registration: Registration) -> RequestFailure {
    let start = path.lastIndex { $0.registration === registration } ?? path.count
    return failure(.cycle(Array(path[start...]) + [Step(registration)]), registration)
  }

  /// The error of a factory, a decorator or a configuration, unless it is the error of a dependency.
  func wrapping(
    _ error: any Error, _ registration: Registration, _ way: @autoclosure () -> [Step],
    by culprit: RequestFailure.Culprit = .factory
  ) -> any Error {
    error.ofRequest ?? failure(.thrown(error, by: culprit), registration, way())
  }
}

extension Registration {
  /// The name and the location of the registration, without what makes its instances.
  var withoutRecipe: Registration {
    Registration(key, lifetime, AnyRecipe.unused, candidate: candidate, depth: depth, location: location)
  }

  /// Represents a key that is requested although nothing is registered for it.
  convenience init(unknown key: Key, depth: Int32) {
    self.init(key, .scoped, AnyRecipe.unused, depth: depth, location: .unknown)
  }
}
