extension Injector {
  /// The injector that answers for this one: its private copy while the calling task is isolated, else itself.
  @inlinable
  func isolated(_ fileID: StaticString = "", _ line: UInt = 0) -> Injector {
    registrations.attention.isDemanded ? isolatedOrEscaped(fileID, line) : self
  }

  @usableFromInline
  func isolatedOrEscaped(_ fileID: StaticString, _ line: UInt) -> Injector {
    guard let sandbox = Sandbox.current else {
      // What a factory then asks for is a part of the same escape.
      if home == 0, ThreadContext.current.isIdle { StandIns.report(Escape(from: self, fileID, line)) }
      return self
    }
    return setUp?.isRunning == true ? self : sandbox.copy(of: self)
  }

  /// The private copy; `nil` if no test is isolated.
  var privateCopy: Injector? { registrations.attention.isDemanded ? Sandbox.current?.copy(of: self) : nil }

  /// Whether only the isolated test sees the injector that the calling task is in: then what is sealed may change too.
  ///
  /// Soundness: reading what is sealed is unprotected only where nobody demands attention, and the test does.
  var isPrivate: Bool { home != 0 && Sandbox.current?.number == home }

  /// Where an injector belongs that is being created: to the calling task's sandbox, unless a static initializer does it.
  static func origin(with registrations: Registrations) -> (home: UInt, setUp: StaticInitialization?) {
    guard registrations.attention.isDemanded, let sandbox = Sandbox.current else { return (0, nil) }
    let setUp = StaticInitialization.current
    return (setUp == nil ? sandbox.number : 0, setUp)
  }
}

/// A task, or a thread that runs none.
enum Worker: Equatable, Sendable {
  case task(Int)
  case thread(ObjectIdentifier)

  static var current: Worker {
    let task = unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue }
    return task.map(Worker.task) ?? .thread(ObjectIdentifier(ThreadContext.current))
  }
}

/// A use of an injector itself, from outside of every isolation, while a test runs that forbids it.
package struct Escape: Sendable {
  /// The injector.
  package let injector: Injector

  /// Where it was used; `nil` if that is not known.
  package let location: CodeLocation?

  fileprivate init(from injector: Injector, _ fileID: StaticString, _ line: UInt) {
    self.injector = injector
    let isKnown = !fileID.hasPointerRepresentation || fileID.utf8CodeUnitCount > 0
    location = isKnown ? CodeLocation(fileID: "\(fileID)", line: Int(line)) : nil
  }
}
