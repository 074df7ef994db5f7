/// Values that are made when they are needed, each used by one thread at a time: for what is no `Sendable`.
///
/// There are as many as have been used at once.
final class Pool<Element>: Sendable {
  /// An element that nobody else uses.
  ///
  /// Soundness of the unchecked conformance: a `Sendable` closure has made the element, so that nothing leads to it
  /// that another has; and whoever takes it out of the pool is the only one to use it until it is put back.
  private struct Exclusive: @unchecked Sendable {
    let element: Element
  }

  private let make: @Sendable () -> Element
  private let free = Guarded<[Exclusive]>([])

  init(_ make: @escaping @Sendable () -> Element) {
    self.make = make
  }

  /// Runs `body` with an element that nobody else uses meanwhile.
  func withElement<Result>(_ body: (Element) throws -> Result) rethrows -> Result {
    let taken = free.withLock { $0.popLast() } ?? Exclusive(element: make())
    defer { free.withLock { $0.append(taken) } }
    return try body(taken.element)
  }
}
