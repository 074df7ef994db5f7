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
final class CellArguments: Sendable {
  let box: AnyBox
  let hash: Int

  init(_ box: AnyBox, hash: Int) { (self.box, self.hash) = (box, hash) }
}

/// A key of what may be made from arguments.
protocol KeyWithArguments {
  /// The service that is made from arguments, and their types; `nil` for another kind of key.
  static var arguments: (service: any Any.Type, types: [any Any.Type])? { get }

  /// Finds the arguments of the service among values, by their types; `nil` if it takes none.
  static func box(from values: [any Sendable]) throws(MissingArgument) -> AnyBox?
}

/// An argument that is not among the given values.
struct MissingArgument: Error {
  let type: any Any.Type

  static func find<Argument>(_ type: Argument.Type, in values: [any Sendable]) throws(MissingArgument) -> Argument {
    for value in values { if let argument = value as? Argument { return argument } }
    throw MissingArgument(type: type)
  }
}

extension Key {
  var withArguments: (any KeyWithArguments.Type)? { type as? any KeyWithArguments.Type }

  /// The key by which decorators and resets refer to the service.
  var served: Key { withArguments?.arguments.map { Key($0.service, tag) } ?? self }

  /// The types of the arguments that the service is made from.
  var arguments: [any Any.Type]? { withArguments?.arguments?.types }
}
