/// What identifies a provider: where it is declared, and its name.
@usableFromInline
struct ProviderName: Sendable {
  let tag: Injector.Tag
  let location: CodeLocation

  /// The name of the property, from the tag of a provider's key.
  static func property(_ tag: String?) -> Substring { (tag ?? "").split(separator: "#").last ?? "" }

  /// The addresses of the literals, which stay as long as the program runs.
  private struct Literals: Hashable {
    let fileID: UInt
    let line: UInt
    let name: UInt
  }

  private static let known = Guarded<[Literals: ProviderName]>([:])

  @usableFromInline
  static func at(_ fileID: StaticString, _ line: UInt, _ name: StaticString) -> ProviderName {
    guard fileID.hasPointerRepresentation, name.hasPointerRepresentation else { return made(fileID, line, name) }
    let literals = unsafe Literals(
      fileID: UInt(bitPattern: fileID.utf8Start), line: line, name: UInt(bitPattern: name.utf8Start))
    if let known = known.withLock({ $0[literals] }) { return known }
    let new = made(fileID, line, name)
    known.withLock { $0[literals] = new }
    return new
  }

  private static func made(_ fileID: StaticString, _ line: UInt, _ name: StaticString) -> ProviderName {
    let location = CodeLocation(fileID: "\(fileID)", line: Int(line))
    return ProviderName(tag: Injector.Tag(rawValue: "\(location)#\(name)"), location: location)
  }
}

/// Stands for a provider, together with a tag that says where it is declared, and its name.
@usableFromInline
enum ProviderKey<Service: Sendable>: TypedKey {
  @usableFromInline
  static func name(tag: String?) -> String { "\\.\(ProviderName.property(tag))" }

  @usableFromInline
  static func expression(tag: String?) -> String { "injector.\(ProviderName.property(tag))()" }
}

extension Injector {
  /// Gets what a provider declares. It is registered on its first use, in the outermost injector, also if that is
  /// sealed.
  func provided(
    _ key: Key, _ definition: () -> Definition, _ location: CodeLocation
  ) throws(InjectorError) -> AnyBox {
    if let other = redirected() { return try other.provided(key, definition, location) }
    while true {
      if let cell = try find(key) { return try provide(cell) }
      let home = level(at: 0)
      let new = definition()
      try home.check(new, for: key)
      let cell = Cell(
        Registration(
          key, new.lifetime, new.recipe, instance: new.instance, depth: 0, location: location))
      _ = try home.change(key, ignoresSeal: true) { old in old ?? home.decorated(cell) }
    }
  }

  @usableFromInline
  func trapAsking(
    _ name: ProviderName, _ call: String, _ error: InjectorError, _ fileID: StaticString, _ line: UInt
  ) -> Never {
    trap("\(self).\(ProviderName.property(name.tag.rawValue))\(call) failed.", error, fileID, line)
  }
}
