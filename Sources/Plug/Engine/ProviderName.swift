/// What tells one provider from another: where it is declared, and its name.
///
/// There is one object for each, which lives as long as the program, so that a provider is found without putting texts
/// together each time.
@usableFromInline
final class ProviderName: Sendable {
  /// The place and the name, as `Shop/API.swift:12#api`.
  let tag: Injector.Tag

  @usableFromInline let hash: Int
  let site: CodeLocation

  private init(_ site: CodeLocation, _ tag: Injector.Tag) {
    self.site = site
    self.tag = tag
    hash = tag.hashValue
  }

  private static let known = Guarded<[Injector.Tag: ProviderName]>([:])

  fileprivate static func named(_ fileID: StaticString, _ line: UInt, _ name: StaticString) -> ProviderName {
    let site = CodeLocation(fileID: "\(fileID)", line: Int(line))
    let tag = Injector.Tag(rawValue: "\(site)#\(name)")
    return known.withLock { known in
      if let name = known[tag] { return name }
      let name = ProviderName(site, tag)
      known[tag] = name
      return name
    }
  }

  /// The name for a place in the code, remembered by the calling thread.
  @usableFromInline
  static func at(_ fileID: StaticString, _ line: UInt, _ name: StaticString) -> ProviderName {
    guard fileID.hasPointerRepresentation, name.hasPointerRepresentation else { return named(fileID, line, name) }
    return unsafe ThreadSlot.context._withUnsafeGuaranteedRef { $0.providerNames.name(fileID, line, name) }
  }
}

/// The names of the providers that a thread has asked for last, by the addresses of the literals in the code.
///
/// Soundness: `slots` has `count` initialized elements until `deinit`. A literal never moves, and no other has its
/// address.
@safe
struct ProviderNameCache: ~Copyable {
  private struct Slot {
    var fileID: UInt = 0
    var line: UInt = 0
    var name: UInt = 0
    var value: ProviderName?
  }

  private static let count = 64
  private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)

  init() {
    unsafe slots.initialize(repeating: Slot(), count: Self.count)
  }

  deinit {
    unsafe slots.deinitialize(count: Self.count)
    unsafe slots.deallocate()
  }

  func name(_ fileID: StaticString, _ line: UInt, _ name: StaticString) -> ProviderName {
    let addresses = unsafe (UInt(bitPattern: fileID.utf8Start), UInt(bitPattern: name.utf8Start))
    // Fibonacci hashing, as in `ServiceTable`.
    let hash = ((addresses.0 ^ addresses.1 ^ line) &* 0x9E37_79B9_7F4A_7C15) >> 48
    let index = Int(truncatingIfNeeded: hash) & (Self.count - 1)
    let slot = unsafe slots + index
    if unsafe slot.pointee.fileID == addresses.0, unsafe slot.pointee.line == line,
      unsafe slot.pointee.name == addresses.1,
      let value = unsafe slot.pointee.value
    {
      return value
    }
    let value = ProviderName.named(fileID, line, name)
    unsafe slot.pointee = Slot(fileID: addresses.0, line: line, name: addresses.1, value: value)
    return value
  }
}
