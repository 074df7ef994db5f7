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
    if "\(name)".contains(":") {
      // The name is all that the provider is known by, and it does not have the arguments.
      fatalError(
        """
        \(name) at \(location) cannot provide a service: a provider does not see the arguments of a function.
        To fix this:
          - Declare what takes arguments as a property: var …: ArgumentsProvider<…> { provide { …, injector in … } }.
          - Or declare one property for each provider.
        """, file: fileID, line: line)
    }
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
  /// Finds what a provider declares. It is registered on its first use, in the outermost injector, also if that is
  /// sealed.
  package func declared(
    _ key: Key, _ declare: () -> Registration
  ) throws(InjectorError) -> Cell {
    while true {
      if let cell = try find(key) { return cell }
      let home = level(at: 0)
      let new = declare()
      try home.check(Definition(lifetime: new.lifetime, recipe: new.recipe), for: key)
      let present = try home.changeable(key, ignoresSeal: true)
      let cell = home.decorated(Cell(new))
      if present.cell == nil { _ = home.replace(present, by: cell, key, ignoresSeal: true) }
    }
  }

  /// Gets what a provider declares, also if that is replaced or reset meanwhile.
  package func provide(_ key: Key, _ declare: () -> Registration) throws(InjectorError) -> AnyBox {
    while true {
      let cell = try declared(key, declare)
      do throws(InjectorError) {
        return try provide(cell)
      } catch .notRegistered where cell.claim.withLock({ $0.isGone }) {
        continue
      }
    }
  }

  /// Puts a registration in the place of what a provider declares.
  func override(_ new: Registration) throws(InjectorError) {
    try check(Definition(lifetime: new.lifetime, recipe: new.recipe), for: new.key)
    // What a test overrides is not decorated.
    while true {
      let present = try changeable(new.key, ignoresSeal: isPrivate)
      let cell = isPrivate ? Cell(new) : decorated(Cell(new))
      if replace(present, by: cell, new.key, ignoresSeal: isPrivate) { return }
    }
  }

  /// Ends the override of a provider, and closes what this injector has made of it.
  package func restore(_ key: Key) throws(InjectorError) {
    try replace(key, by: nil, ignoresSeal: isPrivate)
    giveUpOwn(of: key, unless: nil)
  }

  @usableFromInline
  func trapAsking(
    _ name: ProviderName, _ call: String, _ error: InjectorError, _ fileID: StaticString, _ line: UInt
  ) -> Never {
    trap("\(self).\(ProviderName.property(name.tag.rawValue))\(call) failed.", error, fileID, line)
  }
}
