import Foundation
import Plug
import Synchronization
import TestSupport
import Testing

@testable import PlugFlags

@Suite("A choice while documents are replaced")
struct FlagChoiceRaceTests {
  private static let replacements = 1_000

  private static func opposite(_ isLeft: Bool) throws -> FlagDocument {
    try flags(["left": constant(isLeft), "right": constant(!isLeft)])
  }

  /// Lets eight threads work while a ninth replaces the document.
  private func race(_ services: Injector, rounds: Int, _ body: @escaping @Sendable () -> Bool) throws -> Int {
    let documents = [try Self.opposite(true), try Self.opposite(false)]
    services[Flags.self] = documents[0]
    let isOver = Atomic(false)
    let wrong = Atomic(0)
    let group = DispatchGroup()
    let workers = (0..<8).map { _ in
      Thread {
        for _ in 0..<rounds where !body() { wrong.add(1, ordering: .relaxed) }
        group.leave()
      }
    }
    for worker in workers {
      group.enter()
      worker.start()
    }
    let (ending, writer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      var next = 0
      while !isOver.load(ordering: .relaxed) {
        next += 1
        services[Flags.self] = documents[next % 2]
      }
      writer.signal()
    }
    group.notify(queue: .global()) { ending.signal() }
    #expect(ending.wait(timeout: .now() + .seconds(Watchdog.seconds)) == .success)
    isOver.store(true, ordering: .relaxed)
    #expect(writer.wait(timeout: .now() + .seconds(Watchdog.seconds)) == .success)
    return wrong.load(ordering: .relaxed)
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

  @Test("sees one document from beginning to end")
  func choices() throws {
    let services = try makeServices()
    try services.seal()
    let wrong = try race(services, rounds: 100) {
      (try? services.getAll((any Checkout).self, in: Buyer()))?.count == 1
        && (try? services.get((any Checkout).self, in: Buyer())) != nil
    }
    #expect(wrong == 0)
  }

  @Test("sees one document in the choices that its rules ask for")
  func nested() throws {
    let services = try makeServices()
    try services.register(
      PluginPoint<OneClick, Buyer>("voucher") {
        Candidate("both") { OneClick() }.when(.selected("left", at: "checkout") && .flag("right"))
        Candidate("one") { OneClick() }.when(
          .selected("left", at: "checkout") && .flag("left") || .selected("right", at: "checkout") && .flag("right"))
      })
    let wrong = try race(services, rounds: 20) {
      guard let all = try? services.explain(OneClick.self, in: Buyer()) else { return false }
      return all.available == ["one"] && (try? services.getAll(OneClick.self, in: Buyer()))?.count == 1
    }
    #expect(wrong == 0)
  }

  @Test("sees one document in a scope that inherits it")
  func scopes() throws {
    let services = try makeServices()
    let scope = services.makeScope("request")
    let wrong = try race(services, rounds: 100) {
      (try? scope.getAll((any Checkout).self, in: Buyer()))?.count == 1
    }
    #expect(wrong == 0)
  }

  @Test("belongs wholly to one of many documents that follow each other, and keeps none of them")
  func replacements() throws {
    let services = try makeServices()
    try services.seal()
    var documents = try (0..<50).map { number in
      try flags([
        "left": constant(number.isMultiple(of: 2)), "right": constant(!number.isMultiple(of: 2)),
        "number": #"""
        "state": "ENABLED", "variants": {"v\#(number)": \#(number)}, "metadata": {"number": \#(number)},
        "targeting": {"cat": ["v", \#(number)]}
        """#,
      ])
    }
    let kept = documents.map { WeakContents(contents: $0.contents) }
    services[Flags.self] = documents[0]
    let isOver = Atomic(false)
    let wrong = Atomic(0)
    let right = Atomic(0)
    let key = FlagKey<Int>("number", default: -1)
    let group = DispatchGroup()
    for _ in 0..<8 {
      group.enter()
      Thread.detachNewThread {
        while !isOver.load(ordering: .relaxed) {
          let evaluation = services.evaluation(of: key, in: Buyer())
          let isRight =
            evaluation.variant == "v\(evaluation.value)"
            && evaluation.metadata["number"]?.wholeNumber == evaluation.value
            && (try? services.getAll((any Checkout).self, in: Buyer()))?.count == 1
          if isRight { right.add(1, ordering: .relaxed) } else { wrong.add(1, ordering: .relaxed) }
        }
        group.leave()
      }
    }
    for number in 0..<Self.replacements { services[Flags.self] = documents[number % documents.count] }
    isOver.store(true, ordering: .relaxed)
    #expect(group.wait(timeout: .now() + .seconds(Watchdog.seconds)) == .success)
    #expect(wrong.load(ordering: .relaxed) == 0 && right.load(ordering: .relaxed) > 0)
    services[Flags.self] = .empty
    documents = []
    #expect(kept.allSatisfy { $0.contents == nil })
  }

  @Test("keeps no document when it has ended")
  func kept() throws {
    let services = try makeServices()
    var document: FlagDocument? = try Self.opposite(true)
    weak let contents = document?.contents
    services[Flags.self] = try #require(document)
    document = nil
    #expect(try services.getAll((any Checkout).self, in: Buyer()).count == 1)
    #expect(contents != nil)
    services[Flags.self] = .empty
    #expect(contents == nil)
  }

  @Test("sees the next document when it has ended")
  func released() throws {
    let services = try makeServices()
    services[Flags.self] = try Self.opposite(true)
    #expect(try services.get((any Checkout).self, in: Buyer()) is OneClick)
    services[Flags.self] = try Self.opposite(false)
    #expect(try services.get((any Checkout).self, in: Buyer()) is Classic)
    services[Flags.self] = .empty
    #expect(try services.getAll((any Checkout).self, in: Buyer()).isEmpty)
  }
}

/// A document that is let go of.
private struct WeakContents {
  weak let contents: FlagDocumentContents?
}
