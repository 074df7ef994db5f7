public import Plug

/// One instance that no injector keeps. An isolated test has an instance of its own instead.
@usableFromInline
final class Standalone: Sendable {
  private let cell: Cell
  private let home: Injector
  private let place: (fileID: StaticString, line: UInt)
  /// The number of the sandbox in which the value was made; 0 if it was made in none.
  private let sandbox: UInt

  @usableFromInline
  init<Value>(_ type: Value.Type, _ definition: Definition, _ fileID: StaticString, _ line: UInt) {
    place = (fileID, line)
    let isGlobal = Places.isGlobal(fileID, line)
    home = isGlobal ? Self.ofProgram : Self.ofUsers
    sandbox = isGlobal ? 0 : Sandbox.current?.number ?? 0
    let location = CodeLocation(fileID: "\(fileID)", line: Int(line))
    cell = Cell(Registration(Key(StandaloneKey<Value>.self), definition, depth: home.depth, location: location))
  }

  /// Keeps the values of globals and static properties while the program runs. They may use nothing of a scope.
  private static let ofProgram = Injector(homeAt: 0)
  /// Keeps the other values. Their lifetime is unknown, so they count as the shortest-lived of all: they may use the
  /// services of a scope, and no longer-lived instance may be made from them.
  private static let ofUsers = Injector(homeAt: .max)

  private var isolated: Cell {
    guard let current = Sandbox.current, current.number != sandbox else { return cell }
    return current.isolated(cell) { cell.renewed }
  }

  @usableFromInline
  func box() throws(InjectorError) -> AnyBox {
    let cell = isolated
    if let box = cell.box { return box }
    try home.check(cell.registration, isLoadable: false)
    return try home.provide(cell)
  }

  var isMade: Bool { isolated.box != nil }

  @usableFromInline
  func trap(_ type: any Any.Type, _ error: InjectorError) -> Never {
    Plug.trap("\(typeName(type)).instance cannot be read.", error, place.fileID, place.line)
  }
}

/// The places at which values are made that belong to no global. Searching the call stack takes as long as making a
/// hundred values, and one such place makes many.
private enum Places {
  private struct Place: Hashable {
    /// The address of a literal, which is valid while the program runs.
    let fileID: UInt
    let line: UInt
  }

  private static let local = Guarded<Set<Place>>([])

  /// Whether the initializer of a global or of a static property runs.
  static func isGlobal(_ fileID: StaticString, _ line: UInt) -> Bool {
    guard fileID.hasPointerRepresentation else { return StaticInitialization.isRunning }
    let place = Place(fileID: UInt(bitPattern: fileID.utf8Start), line: line)
    if local.withLock({ $0.contains(place) }) { return false }
    if StaticInitialization.isRunning { return true }
    local.withLock { _ = $0.insert(place) }
    return false
  }
}

/// The key of a value that is made without an injector.
package enum StandaloneKey<Value>: TypedKey {
  package static func name(tag: String?) -> String { typeName(Value.self) }
  package static func expression(tag: String?) -> String { "lazy.get()" }
  package static var kind: InjectorError.Facts.Kind { .standalone }
}
