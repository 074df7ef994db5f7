import TestSupport

@testable import Plug

/// An instance that a ledger follows to its end.
final class GridPart: Sendable {
  enum Kind { case plain, arguments, decorated, loaded, friend }

  let kind: Kind
  /// The number of the injector that its factory received.
  let keeper: UInt
  /// The instance that a decorator wrapped, or that an instance from arguments was made from.
  let inner: GridPart?
  let friend = Setting<GridPart>()
  fileprivate let number: Int
  private let ledger: Ledger

  fileprivate init(_ kind: Kind, for keeper: UInt, _ inner: GridPart?, _ number: Int, in ledger: Ledger) {
    (self.kind, self.keeper, self.inner, self.number, self.ledger) = (kind, keeper, inner, number, ledger)
  }

  deinit { ledger.end(number) }

  /// The instance and those inside it.
  var layers: [GridPart] { [self] + (inner?.layers ?? []) }
  var isClosed: Bool { ledger.closingCount(number) > 0 }

  func close() { ledger.close(number) }
}

/// What one round has made, closed and released.
final class Ledger: Sendable {
  private struct Entry {
    let kind: GridPart.Kind
    let isClosable: Bool
    var closingCount = 0
    var isAlive = true
  }

  private struct WeakInjector { weak var injector: Injector? }

  private struct State {
    var entries: [Entry] = []
    var injectors: [WeakInjector] = []
    var faults: [String] = []
    var event: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// Makes an instance.
  ///
  /// - Parameter isClosable: Whether an injector closes it.
  func make(_ kind: GridPart.Kind, for injector: Injector, isClosable: Bool = false, around inner: GridPart? = nil)
    -> GridPart
  {
    let number = state.withLock { state in
      state.entries.append(Entry(kind: kind, isClosable: isClosable))
      return state.entries.count - 1
    }
    return GridPart(kind, for: injector.number, inner, number, in: self)
  }

  /// Sets what happens while the next plain instance is made.
  func atNextMaking(_ event: @escaping @Sendable () -> Void) { state.withLock { $0.event = event } }

  func runEvent() { state.withLock { $0.event.take() }?() }

  func watch(_ injector: Injector) { state.withLock { $0.injectors.append(WeakInjector(injector: injector)) } }

  func note(fault: String) { state.withLock { $0.faults.append(fault) } }

  fileprivate func close(_ number: Int) { state.withLock { $0.entries[number].closingCount += 1 } }
  fileprivate func end(_ number: Int) { state.withLock { $0.entries[number].isAlive = false } }
  fileprivate func closingCount(_ number: Int) -> Int { state.withLock { $0.entries[number].closingCount } }

  var hasFault: Bool { state.withLock { !$0.faults.isEmpty } }

  /// The faults of the round, and what it has left behind.
  var findings: [String] {
    let (entries, injectors, faults) = state.withLock { ($0.entries, $0.injectors, $0.faults) }
    let instances = entries.flatMap { entry in
      (entry.isAlive ? ["a \(entry.kind) instance is alive"] : [])
        + (entry.closingCount == (entry.isClosable ? 1 : 0)
          ? [] : ["a \(entry.kind) instance was closed \(entry.closingCount) times"])
    }
    return faults + instances + injectors.compactMap { $0.injector.map { "\($0) is alive" } }
  }
}
