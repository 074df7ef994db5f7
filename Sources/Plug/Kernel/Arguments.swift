/// Makes instances from arguments in a box, in place of a recipe's factory. The key of its registration names the types
/// of all arguments.
@usableFromInline
final class Maker: Sendable {
  /// How arguments in boxes are compared. Both closures run users' code.
  @usableFromInline
  struct Equality: Sendable {
    let hash: @Sendable (AnyBox) -> Int
    let areEqual: @Sendable (AnyBox, AnyBox) -> Bool

    @usableFromInline
    init(hash: @escaping @Sendable (AnyBox) -> Int, areEqual: @escaping @Sendable (AnyBox, AnyBox) -> Bool) {
      (self.hash, self.areEqual) = (hash, areEqual)
    }
  }

  /// `nil` if no injector keeps the instances.
  let equality: Equality?
  let make: @Sendable (AnyBox, Injector) throws -> AnyBox

  @usableFromInline
  init(_ equality: Equality?, make: @escaping @Sendable (AnyBox, Injector) throws -> AnyBox) {
    (self.equality, self.make) = (equality, make)
  }
}

/// The arguments that a cell keeps its instance for.
package final class CellArguments: Sendable {
  let box: AnyBox
  let hash: Int

  init(_ box: AnyBox, hash: Int) { (self.box, self.hash) = (box, hash) }
}
