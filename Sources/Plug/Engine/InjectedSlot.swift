public import Synchronization

/// Where an `Injected` property keeps its value.
///
/// Soundness of the unchecked conformance: `stored` is written once, by the one thread that `isClaimed` let in, before
/// `isResolved` is set with release ordering; it is read only after that was seen with acquire ordering.
@usableFromInline
class InjectedSlot<Value: Sendable>: @unchecked Sendable {
  enum Source: Sendable {
    case environment(Injector.Name)
    case injector(Injector)
  }

  private let source: Source
  final let tag: Injector.Tag?
  private let fileID: StaticString
  private let line: UInt
  @usableFromInline final let isResolved = Atomic(false)
  private let resolution = Guarded(())
  @usableFromInline final var stored: Value?

  init(_ source: Source, _ tag: Injector.Tag?, _ fileID: StaticString, _ line: UInt) {
    self.source = source
    self.tag = tag
    self.fileID = fileID
    self.line = line
  }

  @inlinable final var value: Value? {
    isResolved.load(ordering: .acquiring) ? stored : nil
  }

  final var injector: Injector {
    switch source {
    case .environment(let name): Injector[name]
    case .injector(let injector): injector
    }
  }

  func resolve() throws(InjectorError) -> Value {
    keep(try injector.get(Value.self, tag: tag))
  }

  /// Keeps the value, unless another thread was first; gives the one that is kept.
  final func keep(_ value: Value) -> Value {
    resolution.withLock { _ in
      if let stored { return stored }
      stored = value
      isResolved.store(true, ordering: .releasing)
      return value
    }
  }

  @usableFromInline
  final func resolveOrTrap() -> Value {
    orTrap("@Injected var of type \(typeName(Value.self)) at \(fileID):\(line) cannot be read.", fileID, line) {
      () throws(InjectorError) in
      try resolve()
    }
  }
}

/// The slot of an optional property: `nil` while the service is absent, and then nothing is kept.
final class OptionalInjectedSlot<Service: Sendable>: InjectedSlot<Service?>, @unchecked Sendable {
  override func resolve() throws(InjectorError) -> Service? {
    guard let service = try injector.find(Service.self, tag: tag) else { return nil }
    return keep(service)
  }
}
