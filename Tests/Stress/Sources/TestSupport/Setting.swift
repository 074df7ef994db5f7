/// A property that is set once its value is known, as in setter injection.
package final class Setting<Value: Sendable>: Sendable {
  private let state = Locked<Value?>(nil)

  package init() {}

  package var value: Value? { state.withLock { $0 } }

  package func set(_ value: Value) {
    state.withLock { $0 = value }
  }
}
