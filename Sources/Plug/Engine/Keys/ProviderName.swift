/// What tells one provider from another: where it is declared, and its name.
///
/// There is one object for each, which lives as long as the program, so that a provider is found without putting texts
/// together each time, and without counting references.
///
/// Soundness: `known` never forgets an object.
@safe
@usableFromInline
struct ProviderName: Sendable {
  private let declaration: Unmanaged<Declaration>

  private final class Declaration: Sendable {
    let tag: Injector.Tag
    let hash: Int
    let location: CodeLocation

    init(_ location: CodeLocation, _ tag: Injector.Tag) {
      self.location = location
      self.tag = tag
      hash = tag.hashValue
    }
  }

  private init(_ declaration: Declaration) {
    unsafe self.declaration = Unmanaged.passUnretained(declaration)
  }

  /// The place and the name, as `Shop/API.swift:12#api`.
  @usableFromInline var tag: Injector.Tag { unsafe declaration._withUnsafeGuaranteedRef { $0.tag } }
  var location: CodeLocation { unsafe declaration._withUnsafeGuaranteedRef { $0.location } }
  var identity: ObjectIdentifier { unsafe ObjectIdentifier(declaration.takeUnretainedValue()) }

  /// Runs `body` with the tag and its hash, and no reference to either is counted.
  func withTag<Result>(_ body: (borrowing Injector.Tag, _ hash: Int) -> Result) -> Result {
    unsafe declaration._withUnsafeGuaranteedRef { body($0.tag, $0.hash) }
  }

  /// The name without the place, in a tag.
  static func property(_ tag: String?) -> Substring { (tag ?? "").split(separator: "#").last ?? "" }

  private static let known = Guarded<[Injector.Tag: Declaration]>([:])

  private static func named(_ fileID: StaticString, _ line: UInt, _ name: StaticString) -> ProviderName {
    let location = CodeLocation(fileID: "\(fileID)", line: Int(line))
    let tag = Injector.Tag(rawValue: "\(location)#\(name)")
    return known.withLock { known in
      let declaration = known[tag] ?? Declaration(location, tag)
      known[tag] = declaration
      return ProviderName(declaration)
    }
  }

  /// The name for a place in the code.
  @inlinable
  @inline(__always)
  static func at(_ fileID: StaticString, _ line: UInt, _ name: StaticString) -> ProviderName {
    if let literals = Literals(fileID, line, name), let known = ProviderNameTable.find(literals) { return known }
    return remembered(fileID, line, name)
  }

  /// The same, remembered for the next time if the literals have addresses.
  @usableFromInline
  static func remembered(_ fileID: StaticString, _ line: UInt, _ name: StaticString) -> ProviderName {
    let value = named(fileID, line, name)
    if let literals = Literals(fileID, line, name) { ProviderNameTable.add(value, for: literals) }
    return value
  }

  /// The addresses of the literals that a name is put together from. A literal never moves, and no other has its
  /// address.
  @usableFromInline
  struct Literals: Equatable, Sendable {
    @usableFromInline let fileID: UInt
    @usableFromInline let line: UInt
    @usableFromInline let name: UInt

    /// - Returns: `nil` if a literal is a single character, which has no address.
    @inlinable
    @inline(__always)
    init?(_ fileID: StaticString, _ line: UInt, _ name: StaticString) {
      guard fileID.hasPointerRepresentation, name.hasPointerRepresentation else { return nil }
      unsafe self.fileID = UInt(bitPattern: fileID.utf8Start)
      self.line = line
      unsafe self.name = UInt(bitPattern: name.utf8Start)
    }
  }
}

extension Injector {
  /// Ends the program because a provider could not be asked.
  @usableFromInline
  func trapAsking(
    _ name: ProviderName, _ call: String, _ error: InjectorError, _ fileID: StaticString, _ line: UInt
  ) -> Never {
    trap(
      "\(self).\(ProviderName.property(name.tag.rawValue))\(call) failed.", error, fileID, line)
  }
}
