import Testing

@testable import Plug

@Suite("A table of services")
struct ServiceTableTests {
  private final class Named: AnyEntry, @unchecked Sendable {
    init(_ service: any Any.Type, _ tag: Injector.Tag?) {
      super.init(service: service, tag: tag, site: CodeLocation(fileID: "", line: 0))
    }
  }

  private struct Key: Hashable {
    let type: ObjectIdentifier
    let tag: Injector.Tag?
  }

  @Test("holds what a dictionary holds after 20,000 random changes", arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let types: [any Any.Type] = [Int.self, String.self, Bool.self, [Int].self, Double.self, Instance.self]
    var table = ServiceTable()
    var reference: [Key: AnyEntry] = [:]
    for _ in 0..<20_000 {
      let type = types[Int.random(in: 0..<types.count, using: &random)]
      let number = Int.random(in: -1..<40, using: &random)
      let tag = number < 0 ? nil : Injector.Tag(rawValue: "\(number)")
      let key = Key(type: ObjectIdentifier(type), tag: tag)
      if Bool.random(using: &random) {
        let entry = Named(type, tag)
        table = table.inserting(entry)
        reference[key] = entry
      } else {
        table.remove(key.type, tag)
        reference[key] = nil
      }
      #expect(table.isEmpty == reference.isEmpty)
      #expect(table.find(key.type, tag)?.takeUnretainedValue() === reference[key])
    }
    let found = reference.filter { key, entry in table.find(key.type, key.tag)?.takeUnretainedValue() === entry }
    #expect(found.count == reference.count && table.entries.count == reference.count)
  }

  @Test("releases what is replaced and removed, and all at its end")
  func release() {
    weak var replaced: AnyEntry?
    weak var removed: AnyEntry?
    weak var kept: AnyEntry?
    do {
      var table = ServiceTable()
      let types: [any Any.Type] = [Int.self, String.self, Bool.self]
      for (index, type) in types.enumerated() {
        let entry = Named(type, nil)
        table = table.inserting(entry)
        if index == 0 { replaced = entry } else if index == 1 { removed = entry } else { kept = entry }
      }
      table = table.inserting(Named(Int.self, nil))
      table.remove(ObjectIdentifier(String.self), nil)
      #expect(replaced == nil && removed == nil && kept != nil)
    }
    #expect(kept == nil)
  }
}
