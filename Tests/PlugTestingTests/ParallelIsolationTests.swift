import Foundation
import Plug
import PlugKeys
import PlugTesting
import Synchronization
import Testing
import XCTest

/// Overrides the one service of all, and checks for a while that nobody else's override is seen.
private func overrideAndLook(_ number: Int) async throws {
  let name = "fake \(number)"
  try Shop.sealed.override(as: (any Payments).self, injectable: .singleton(FakePayments(name)))
  await Task.yield()
  #expect(Shop.sealed.paymentsName == name)
  let basket = try Shop.sealed.get(Basket.self)
  await Task.yield()
  #expect(basket.payments.name == name)
  #expect(try Shop.sealed.get(Basket.self) === basket)
  Shop.sealed[Theme.self] = name
  await Task.yield()
  #expect(Shop.sealed[Theme.self] == name)
}

/// What code outside of every isolation sees.
private func realNames() async -> [String?] {
  await Task.detached { [Shop.sealed.paymentsName, Shop.sealed[Basket.self]?.payments.name, Shop.sealed[Theme.self]] }
    .value
}

@Suite("Parallel isolated tests", .isolated)
struct ParallelIsolationTests {
  @Test("Each of 64 tests sees only its own override of the same service", arguments: 0..<64)
  func own(number: Int) async throws {
    try await overrideAndLook(number)
    #expect(await realNames() == ["live", "live", "light"])
  }

  @Test("Each of 64 isolated tasks sees only its own override, in each of 10 rounds")
  func rounds() async throws {
    for _ in 0..<10 {
      try await withThrowingTaskGroup { group in
        for number in 0..<64 {
          group.addTask { try await withIsolatedInjectors { try await overrideAndLook(number) } }
        }
        try await group.waitForAll()
      }
    }
    #expect(await realNames() == ["live", "live", "light"])
  }
}

/// Parallel isolated tests with XCTest.
final class ParallelIsolationXCTests: XCTestCase {
  override func invokeTest() {
    withIsolatedInjectors { super.invokeTest() }
  }

  func testEachThreadSeesOnlyItsOwnOverride() {
    let wrong = Mutex<[String]>([])
    for _ in 0..<10 {
      DispatchQueue.concurrentPerform(iterations: 64) { number in
        let names = try? withIsolatedInjectors {
          try Shop.sealed.override(
            as: (any Payments).self, injectable: .lazySingleton { FakePayments("fake \(number)") })
          return [Shop.sealed.paymentsName, try Shop.sealed.get(Basket.self).payments.name]
        }
        if names != ["fake \(number)", "fake \(number)"] { wrong.withLock { $0.append("\(names ?? [])") } }
      }
    }
    XCTAssertEqual(wrong.withLock { $0 }, [])
  }

  func testEachTaskSeesOnlyItsOwnOverride() async throws {
    for _ in 0..<10 {
      let names = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<64 {
          group.addTask {
            try await withIsolatedInjectors {
              try Shop.sealed.override(
                as: (any Payments).self, injectable: .singleton(FakePayments("fake \(number)")))
              await Task.yield()
              return Shop.sealed.paymentsName == "fake \(number)"
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      XCTAssertEqual(names, Array(repeating: true, count: 64))
    }
    let real = await realNames()
    XCTAssertEqual(real, ["live", "live", "light"])
  }

  func testOneTestOverridesWhatTheNextOneGets() throws {
    XCTAssertEqual(Shop.sealed.paymentsName, "live")
    try Shop.sealed.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
    XCTAssertEqual(Shop.sealed.paymentsName, "fake")
  }

  func testTheNextOneGetsTheRealOne() async throws {
    XCTAssertEqual(Shop.sealed.paymentsName, "live")
    try Shop.sealed.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
    XCTAssertEqual(Shop.sealed.paymentsName, "fake")
  }
}
