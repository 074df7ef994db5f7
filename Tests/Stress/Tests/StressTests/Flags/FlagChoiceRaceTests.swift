import Plug
import PlugKeys
import TestSupport
import Testing

@testable import PlugFlags

private protocol Checkout: Sendable {}
private struct OneClick: Checkout {}
private struct Classic: Checkout {}

private struct Buyer: ListedFlagContext {
  var id = "p-17"
  var country = "DE"

  static let flagAttributes = FlagAttributeList<Buyer>(targetingKey: \.id, [.init("country", \.country)])
}

/// Services whose flag document is replaced again and again.
private final class Subject: Sendable {
  let services: Injector
  /// The services, or a scope of them.
  let asked: Injector
  let documents: Locked<[FlagDocument]>

  init(_ services: Injector, asked: Injector? = nil, _ documents: [FlagDocument]) {
    self.services = services
    self.asked = asked ?? services
    self.documents = Locked(documents)
    services[PlugFlags.Flags.self] = documents[0]
  }

  func replace(_ turns: Int) {
    let documents = documents.current
    for turn in 0..<turns { services[PlugFlags.Flags.self] = documents[turn % documents.count] }
  }

  /// Releases the documents.
  func clear() {
    services[PlugFlags.Flags.self] = .empty
    documents.withLock { $0 = [] }
  }
}

/// A weak reference to the contents of a document.
private struct WeakContents {
  weak let contents: FlagDocumentContents?
}

@Suite("A choice while flag documents are replaced", .repeatable, .serialized)
struct FlagChoiceRaceTests {
  /// A document with two flags, exactly one of which is on, and a number.
  private static func document(_ number: Int) throws -> FlagDocument {
    func isOn(_ isOn: Bool) -> String {
      #"{"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "\#(isOn ? "on" : "off")"}"#
    }
    return try FlagDocument(
      #"""
      {"flags": {
        "left": \#(isOn(number.isMultiple(of: 2))), "right": \#(isOn(!number.isMultiple(of: 2))),
        "number": {"state": "ENABLED", "variants": {"v\#(number)": \#(number)}, "metadata": {"number": \#(number)},
          "targeting": {"cat": ["v", \#(number)]}}}}
      """#)
  }

  private func makeServices() throws -> Injector {
    let services = Injector("services")
    try services.register(
      PluginPoint<any Checkout, Buyer>("checkout") {
        Candidate("left") { OneClick() }.when(.flag("left"))
        PluginPoint("inner", when: .flag("right")) {
          Candidate("right") { Classic() }.when(!.flag("left"))
        }
      })
    return services
  }

  @Test("reads one document from beginning to end")
  func choices() throws {
    let documents = try (0..<2).map(Self.document)
    try race(threads: 9) { _ in
      let services = try makeServices()
      try services.seal()
      return Subject(services, documents)
    } body: { subject, thread -> Bool in
      if thread == 0 { subject.replace(100) }
      return (0..<20).allSatisfy { _ in
        (try? subject.services.getAll((any Checkout).self, in: Buyer()))?.count == 1
          && (try? subject.services.get((any Checkout).self, in: Buyer())) != nil
      }
    } check: { _, outcomes in
      #expect(outcomes == Array(repeating: true, count: 9))
    }
  }

  @Test("reads one document in the nested choices of its rules")
  func nested() throws {
    let documents = try (0..<2).map(Self.document)
    try race(threads: 9) { _ in
      let services = try makeServices()
      try services.register(
        PluginPoint<OneClick, Buyer>("voucher") {
          Candidate("both") { OneClick() }.when(.selected("left", at: "checkout") && .flag("right"))
          Candidate("one") { OneClick() }.when(
            .selected("left", at: "checkout") && .flag("left") || .selected("right", at: "checkout") && .flag("right"))
        })
      return Subject(services, documents)
    } body: { subject, thread -> Bool in
      if thread == 0 { subject.replace(100) }
      return (0..<5).allSatisfy { _ in
        (try? subject.services.explain(OneClick.self, in: Buyer()))?.available == ["one"]
          && (try? subject.services.getAll(OneClick.self, in: Buyer()))?.count == 1
      }
    } check: { _, outcomes in
      #expect(outcomes == Array(repeating: true, count: 9))
    }
  }

  @Test("reads one document in a scope that inherits it")
  func scopes() throws {
    let documents = try (0..<2).map(Self.document)
    try race(threads: 9) { _ in
      let services = try makeServices()
      return Subject(services, asked: services.makeScope("request"), documents)
    } body: { subject, thread -> Bool in
      if thread == 0 { subject.replace(100) }
      return (0..<20).allSatisfy { _ in
        (try? subject.asked.getAll((any Checkout).self, in: Buyer()))?.count == 1
      }
    } check: { _, outcomes in
      #expect(outcomes == Array(repeating: true, count: 9))
    }
  }

  @Test("reads exactly one of many successive documents, and keeps none of them")
  func replacements() throws {
    let key = FlagKey<Int>("number", default: -1)
    try race(threads: 9) { _ in
      let services = try makeServices()
      try services.seal()
      return Subject(services, try (0..<10).map(Self.document))
    } body: { subject, thread -> Bool in
      if thread == 0 { subject.replace(100) }
      return (0..<20).allSatisfy { _ in
        let evaluation = subject.services.evaluation(of: key, in: Buyer())
        return evaluation.variant == "v\(evaluation.value)"
          && evaluation.metadata["number"]?.wholeNumber == evaluation.value
          && (try? subject.services.getAll((any Checkout).self, in: Buyer()))?.count == 1
      }
    } check: { subject, outcomes in
      #expect(outcomes == Array(repeating: true, count: 9))
      let kept = subject.documents.current.map { WeakContents(contents: $0.contents) }
      subject.clear()
      #expect(kept.allSatisfy { $0.contents == nil })
    }
  }
}
