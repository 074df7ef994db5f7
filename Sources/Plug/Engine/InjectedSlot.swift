public import Synchronization

/// Where an `Injected` property keeps its value.
///
/// Soundness: `kept` is set once, to memory that has been initialized before, by the thread whose exchange succeeded. It
/// is read with acquire ordering, and neither it nor what it points to changes until `deinit`, which nobody can race
/// with, since whoever reads holds the slot.
@safe
@usableFromInline
final class InjectedSlot<Value: Sendable>: @unchecked Sendable {
  @usableFromInline
  enum Source: Sendable {
    case environment(Injector.Name)
    case injector(Injector)
  }

  /// What an injector answers: a value to keep, or one that stands for a service which is absent for now.
  @usableFromInline
  enum Answer: Sendable {
    case found(Value)
    case absent(Value)
  }

  @usableFromInline typealias Resolve = @Sendable (Injector, Injector.Tag?) throws(InjectorError) -> Answer

  @usableFromInline let kept = unsafe Atomic<UnsafeMutablePointer<Value>?>(nil)
  private let source: Source
  private let tag: Injector.Tag?
  private let fileID: StaticString
  private let line: UInt
  private let resolve: Resolve

  @usableFromInline
  init(_ source: Source, _ tag: Injector.Tag?, _ fileID: StaticString, _ line: UInt, resolve: @escaping Resolve) {
    self.source = source
    self.tag = tag
    self.fileID = fileID
    self.line = line
    self.resolve = resolve
  }

  deinit {
    guard let pointer = unsafe kept.load(ordering: .acquiring) else { return }
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  /// The value, if it has been read before.
  @inlinable var value: Value? {
    unsafe kept.load(ordering: .acquiring)?.pointee
  }

  /// Gets the value from the injector, and keeps it unless another thread was first.
  @usableFromInline
  func get() throws(InjectorError) -> Value {
    if let value { return value }
    switch try resolve(injector, tag) {
    case .found(let value): return keep(value)
    case .absent(let value): return value
    }
  }

  @usableFromInline
  func getOrTrap() -> Value {
    orTrap("@Injected var of type \(typeName(Value.self)) at \(fileID):\(line) cannot be read.", fileID, line) {
      () throws(InjectorError) in
      try get()
    }
  }

  private func keep(_ value: Value) -> Value {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
    let (isFirst, first) = unsafe kept.compareExchange(
      expected: nil, desired: pointer, ordering: .acquiringAndReleasing)
    if isFirst { return value }
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
    return unsafe first?.pointee ?? value
  }

  private var injector: Injector {
    switch source {
    case .environment(let name): Injector[name]
    case .injector(let injector): injector
    }
  }
}

extension InjectedSlot {
  /// The slot of a property whose service must be there.
  @inlinable
  convenience init(required source: Source, _ tag: Injector.Tag?, _ fileID: StaticString, _ line: UInt) {
    self.init(source, tag, fileID, line) { injector, tag throws(InjectorError) in
      .found(try injector.get(Value.self, tag: tag))
    }
  }

  /// The slot of an optional property: `nil` while the service is absent, and then nothing is kept.
  @inlinable
  convenience init<Service: Sendable>(
    optional source: Source, _ tag: Injector.Tag?, _ fileID: StaticString, _ line: UInt
  ) where Value == Service? {
    self.init(source, tag, fileID, line) { injector, tag throws(InjectorError) in
      let service = try injector.find(Service.self, tag: tag)
      return service == nil ? .absent(nil) : .found(service)
    }
  }
}
