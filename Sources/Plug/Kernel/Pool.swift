/// Values of a type that is not `Sendable`, made on demand. One thread at a time uses each.
///
/// There are as many values as threads have used at once.
final class Pool<Element>: Sendable {
  /// An element that no other thread uses.
  ///
  /// Soundness of the unchecked conformance: a `Sendable` closure has made the element, so no other thread has a
  /// reference to it or to its parts. Only the thread that takes it out of the pool uses it, until it is put back.
  private struct Exclusive: @unchecked Sendable {
    let element: Element
  }

  private let make: @Sendable () -> Element
  private let free = Guarded<[Exclusive]>([])

  init(_ make: @escaping @Sendable () -> Element) { self.make = make }

  /// Runs `body` with an element that no other thread uses meanwhile.
  func withElement<Result>(_ body: (Element) throws -> Result) rethrows -> Result {
    let taken = free.withLock { $0.popLast() } ?? Exclusive(element: make())
    defer { free.withLock { $0.append(taken) } }
    return try body(taken.element)
  }
}
