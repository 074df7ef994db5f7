public import Plug

/// One instance that no injector has. In an isolated test there is another in its place.
@usableFromInline
final class Standalone: Sendable {
  private let cell: Cell
  private let isGlobal: Bool
  private let place: (fileID: StaticString, line: UInt)

  @usableFromInline
  init<Value>(_ type: Value.Type, _ definition: Definition, _ fileID: StaticString, _ line: UInt) {
    place = (fileID, line)
    // What a global or a static property has lives as long as the program. How long another one lives is not known, so
    // it counts as the shortest-lived of all: it may have what a scope has, and nothing that lives longer may be made
    // of it.
    isGlobal = StaticInitialization.isRunning
    let location = CodeLocation(fileID: "\(fileID)", line: Int(line))
    let home = Self.home(isGlobal: isGlobal)
    cell = Cell(Registration(Key(StandaloneKey<Value>.self), definition, depth: home.depth, location: location))
  }

  private static let global = Injector(homeAt: 0)
  private static let local = Injector(homeAt: .max)
  private static func home(isGlobal: Bool) -> Injector { isGlobal ? global : local }

  private var isolated: Cell { Layers.isolated(cell) { cell.renewed } ?? cell }

  @usableFromInline
  func box() throws(InjectorError) -> AnyBox {
    let cell = isolated
    if let box = cell.box { return box }
    let (home, registration) = (Self.home(isGlobal: isGlobal), cell.registration)
    try home.check(
      Definition(lifetime: registration.lifetime, recipe: registration.recipe), for: registration.key,
      isLoadable: false)
    return try home.provide(cell)
  }

  var isMade: Bool { isolated.box != nil }

  @usableFromInline
  func trap(_ type: any Any.Type, _ error: InjectorError) -> Never {
    Plug.trap("\(typeName(type)).instance cannot be read.", error, place.fileID, place.line)
  }
}

/// Stands for a value that is made without an injector.
package enum StandaloneKey<Value>: TypedKey {
  package static func name(tag: String?) -> String { typeName(Value.self) }
  package static func expression(tag: String?) -> String { "lazy.get()" }
  package static var form: InjectorError.Facts.KeyForm { .standalone }
}
