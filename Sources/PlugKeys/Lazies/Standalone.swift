public import Plug

/// The value of a lazy: one instance, which belongs to the program or to an injector.
@usableFromInline
final class Standalone: Sendable {
  /// Makes the program's values, which may use nothing of a scope.
  private static let program = Injector()

  /// The cell of the value, or of its registration if an injector keeps the value.
  private let cell: Cell
  private let place: (fileID: StaticString, line: UInt)
  /// Returns the injector that keeps the value, which must not keep that injector; `nil` if the program does.
  private let owner: (@Sendable () -> Injector?)?
  /// The number of the isolated test in which the lazy was made; 0 if it belongs to the whole program.
  private let sandbox: UInt

  init<Value>(
    _ type: Value.Type, _ definition: Definition, in injector: Injector? = nil, _ fileID: StaticString, _ line: UInt
  ) {
    place = (fileID, line)
    owner = injector.map { Self.reference(to: $0) }
    sandbox = Layers.sandbox
    let location = CodeLocation(fileID: "\(fileID)", line: Int(line))
    let depth = injector?.depth ?? 0
    cell = Cell(Registration(Key(StandaloneKey<Value>.self), definition, depth: depth, location: location))
  }

  private static func reference(to injector: Injector) -> @Sendable () -> Injector? {
    { [weak injector] in injector }
  }

  /// The program's value, of which an isolated test has its own.
  private var isolated: Cell {
    guard let redirection = Layers.redirection, redirection.number != sandbox else { return cell }
    return redirection.isolated(cell) { Cell(cell.registration) }
  }

  @usableFromInline
  func box() throws(InjectorError) -> AnyBox {
    guard let owner else { return try provide(isolated, in: Self.program) }
    guard let injector = owner() else { throw Self.program.closedError(for: cell.registration.key) }
    return try provide(cell, in: injector.active)
  }

  private func provide(_ cell: Cell, in injector: Injector) throws(InjectorError) -> AnyBox {
    if let box = cell.box { return box }
    try injector.check(cell.registration, isLoadable: false)
    return try InjectorError.entering { try injector.provide(cell) }
  }

  var isMade: Bool {
    guard let owner else { return isolated.box != nil }
    return owner().map { $0.active }?.keptBox(of: cell.registration) != nil
  }

  @usableFromInline
  func trap(_ type: any Any.Type, _ error: InjectorError) -> Never {
    Plug.trap("\(typeName(type)).instance cannot be read.", error, place.fileID, place.line)
  }
}

/// The key of a value that is not requested from an injector.
package enum StandaloneKey<Value>: TypedKey, ProgramKey {
  package static func name(tag: String?) -> String { typeName(Value.self) }
  package static func expression(tag: String?) -> String { "lazy.get()" }
  package static var kind: SubjectKind { .standalone }
}
