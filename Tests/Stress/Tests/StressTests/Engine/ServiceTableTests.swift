import TestSupport
import Testing

@testable import Plug

@Suite("A table of services", .repeatable)
struct ServiceTableTests {
  private final class Named: AnyEntry, @unchecked Sendable {
    init(_ service: any Any.Type, _ tag: Injector.Tag?) {
      super.init(
        declaration: Declaration(service, tag: tag, location: CodeLocation(fileID: "", line: 0)), isClosable: false)
    }
  }

  private struct Key: Hashable {
    let type: ObjectIdentifier
    let tag: Injector.Tag?
  }

  @Test("holds what a dictionary holds after 2,000 random changes")
  func random() throws {
    try Rounds.run(3) { round in
      var random = round.random
      let types: [any Any.Type] = [Int.self, String.self, Bool.self, [Int].self, Double.self, Instance.self]
      var table = ServiceTable(capacity: 16)
      var reference: [Key: AnyEntry] = [:]
      for _ in 0..<2_000 {
        let type = types[Int.random(in: 0..<types.count, using: &random)]
        let number = Int.random(in: -1..<40, using: &random)
        let tag = number < 0 ? nil : Injector.Tag(rawValue: "\(number)")
        let key = Key(type: ObjectIdentifier(type), tag: tag)
        let position = table.position(of: key.type, tag)
        #expect(table.entry(at: position) === reference[key])
        let entry = Bool.random(using: &random) ? Named(type, tag) : nil
        if let entry {
          if !table.set(entry, at: position) { table = ServiceTable(adding: entry, at: position, to: table) }
        } else {
          table.clear(position)
        }
        reference[key] = entry
        #expect(table.find(key.type, tag)?.takeUnretainedValue() === reference[key])
      }
      let found = reference.filter { key, entry in table.find(key.type, key.tag)?.takeUnretainedValue() === entry }
      #expect(found.count == reference.count && table.entries.count == reference.count)
    }
  }

  @Test("keeps its size while the same services come and go")
  func size() {
    let table = ServiceTable(capacity: 16)
    for _ in 0..<1000 {
      for type in [Int.self, String.self, Bool.self] as [any Any.Type] {
        let entry = Named(type, nil)
        #expect(table.set(entry, at: table.position(of: entry.type, nil)))
        table.clear(table.position(of: entry.type, nil))
      }
    }
  }
}
