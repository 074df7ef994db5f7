/// Arguments that are compared whole.
final class Arguments<First: Hashable & Sendable, each Rest: Hashable & Sendable>: AnyArguments, @unchecked Sendable {
  private let first: First
  private let rest: (repeat each Rest)

  init(_ first: First, _ rest: repeat each Rest) {
    self.first = first
    self.rest = (repeat each rest)
    var hasher = Hasher()
    hasher.combine(first)
    repeat hasher.combine(each rest)
    super.init(hash: hasher.finalize())
  }

  /// Soundness of the cast: arguments are compared only with those for which the same entry keeps instances.
  override func isEqual(to other: AnyArguments) -> Bool {
    let other = unsafe unsafeDowncast(other, to: Arguments.self)
    guard first == other.first else { return false }
    for (argument, another) in repeat (each rest, each other.rest) {
      guard argument == another else { return false }
    }
    return true
  }
}
