@testable import Plug

/// A property that is set once it is known: what setter injection needs.
final class Setting<Value: Sendable>: Sendable {
  private let state = Guarded<Value?>(nil)

  var value: Value? { state.withLock { $0 } }

  func set(_ value: Value) {
    state.withLock { $0 = value }
  }
}
