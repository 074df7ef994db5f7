/// The identity of a provider: the location of its declaration, and its name.
@usableFromInline
final class ProviderName: Sendable {
  let tag: Injector.Tag
  let location: CodeLocation

  /// The addresses of the literals, the line and the column.
  private struct Literals: Hashable {
    let fileID: UInt
    let line: UInt
    let column: UInt
    let name: UInt

    func hash(into hasher: inout Hasher) { hasher.combine(name ^ line &* 0x1_0001 ^ column) }
  }

  private init(tag: Injector.Tag, location: CodeLocation) { (self.tag, self.location) = (tag, location) }

  private static let known = Guarded<[Literals: ProviderName]>([:])

  @usableFromInline
  static func at(_ fileID: StaticString, _ line: UInt, _ column: UInt, _ name: StaticString) -> ProviderName {
    let literals = Literals(fileID: fileID.address, line: line, column: column, name: name.address)
    if let known = known.withLock({ $0[literals] }) { return known }
    let location = CodeLocation(fileID: "\(fileID)", line: Int(line))
    if "\(name)".contains(":") {
      // The name identifies the provider, and does not contain the arguments.
      fatalError(
        "\(name) at \(location) cannot provide a service: a provider does not see the arguments of a function. "
          + "Declare a property with them instead: var …: Provider<…, …> { provide { …, injector in … } }.",
        file: fileID, line: line)
    }
    let new = ProviderName(tag: Injector.Tag(rawValue: "\(location):\(column)#\(name)"), location: location)
    known.withLock { $0[literals] = new }
    return new
  }

  /// The name of the property, from the tag of a provider's key.
  static func property(_ tag: String?) -> Substring { (tag ?? "").split(separator: "#").last ?? "" }

  @usableFromInline
  func trap(
    _ type: any Any.Type, _ injector: Injector, _ error: InjectorError, _ fileID: StaticString, _ line: UInt
  ) -> Never {
    let call = (Key(type, tag).typed?.expression(tag: tag.rawValue) ?? "").dropFirst("injector".count)
    Plug.trap("\(injector)\(call) failed.", error, fileID, line)
  }

  func registration(_ key: Key, _ define: () -> Definition) -> Registration {
    Registration(key, define(), depth: 0, location: location)
  }
}

/// The key type of a provider. The tag has the location of its declaration and its name.
@usableFromInline
struct ProviderKey<Service: Sendable, each Argument: Sendable>: TypedKey, KeyWithArguments {
  static var arguments: (service: any Any.Type, types: [any Any.Type])? { nil }

  static func name(tag: String?) -> String { "\\.\(ProviderName.property(tag))" }
  static var kind: SubjectKind { .key }
  static func expression(tag: String?) -> String {
    "injector.\(ProviderName.property(tag))(\(Key.each(repeat (each Argument).self).isEmpty ? "" : "…"))"
  }
  static func box(from values: [any Sendable]) throws(MissingArgument) -> AnyBox? {
    try .boxed(repeat MissingArgument.find((each Argument).self, in: values))
  }
}

extension AnyBox {
  /// Puts arguments in a box; `nil` if there are none.
  @inlinable
  @inline(__always)
  static func boxed<each Argument: Sendable>(_ arguments: repeat each Argument) -> AnyBox? {
    for _ in repeat (each Argument).self { return Box((repeat each arguments)) }
    return nil
  }
}

extension Injector {
  /// Gets the instance of a provider, even if the provider is overridden or reset meanwhile.
  @usableFromInline
  func provide(
    _ type: any Any.Type, _ name: ProviderName, _ arguments: AnyBox?, _ fileID: StaticString, _ line: UInt,
    _ define: () -> Definition
  ) throws(InjectorError) -> AnyBox {
    let key = Key(type, name.tag)
    return try provide(key, with: arguments, fileID, line) { name.registration(key, define) }
  }

  /// Gets the instance of a service that is declared on its first use.
  package func provide(
    _ key: Key, with arguments: AnyBox? = nil, _ fileID: StaticString, _ line: UInt, _ declare: () -> Registration
  ) throws(InjectorError) -> AnyBox {
    try answering(Request(key), fileID, line) { injector in
      for _ in 0..<Self.attemptLimit {  // As in `firstBox`.
        if let box = try injector.attempt(injector.declared(key, declare), with: arguments) { return box }
      }
      throw try injector.failure(.replaced, injector.declared(key, declare).registration)
    }
  }

  /// Finds the cell of a provider. The first use registers the provider in the outermost injector, even if it is
  /// sealed.
  func declared(_ key: Key, _ declare: () -> Registration) throws(InjectorError) -> Cell {
    while true {
      if let cell = try cell(of: key) { return cell }
      let home = level(at: 0)
      let new = try home.evaluated(key, declare)
      try home.check(new)
      let present = try home.changeable(key, ignoresSeal: true)
      if present.cell == nil { _ = home.replace(present, by: home.decorated(Cell(new)), key, ignoresSeal: true) }
    }
  }

  /// Evaluates a declaration in a frame of its own, since what it requests has to live as long as this injector.
  private func evaluated(_ key: Key, _ declare: () -> Registration) throws(InjectorError) -> Registration {
    let outer = ThreadStack.current.with { stack in
      stack.own.frames.first { $0.registration.isChoice && $0.registration.key == key }?.registration
    }
    let location = CodeLocation(fileID: "", line: 0)
    let act = outer ?? Registration(key, .factory, AnyRecipe.unused, isChoice: true, depth: 0, location: location)
    return try InjectorError.entering {
      let thread = try begin(act, ownerDepth: 0)
      defer { withExtendedLifetime(act) {} }
      let new = declare()
      try end(thread)
      return new
    }
  }

  /// Overrides the definition of a provider, or of a service in a test.
  package func replace(_ key: Key, by definition: Definition, at location: CodeLocation) throws(InjectorError) {
    if let copy = redirectedForSetUp(at: location) { return try copy.replace(key, by: definition, at: location) }
    let new = Registration(key, definition, depth: depth, location: location)
    try check(new)
    // The override of a test is not decorated.
    try replace(key, by: isPrivate ? Cell(new) : decorated(Cell(new)))
  }

  /// Ends the override of a provider, and closes the instances that this injector has made with it.
  func restore(_ key: Key, _ declare: () -> Registration) throws(InjectorError) {
    if let parent {
      return try replace(key, by: inheriting(parent.cell(of: key), attachment(Decorations.self)))
    }
    let new = try evaluated(key, declare)
    try check(new)
    try replace(key, by: decorated(Cell(new)))
  }
}
