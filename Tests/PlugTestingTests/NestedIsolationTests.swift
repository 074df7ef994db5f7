import Foundation
import Plug
import PlugKeys
import PlugTesting
import Testing

@Suite(
  "Nested isolation",
  .isolated { _ in
    try Shop.open.override(as: (any Payments).self, injectable: .singleton(FakePayments("of the suite")))
  })
struct NestedIsolationTests {
  @Test("The trait of a suite prepares each of its tests")
  func suite() throws {
    #expect(Shop.open.paymentsName == "of the suite")
    #expect(try Shop.open.get(Basket.self).payments.name == "of the suite")
  }

  @Test(
    "The trait of a test adds to the preparation by its suite",
    .isolated { injectors in
      #expect(injectors[.shop].paymentsName == "of the suite")
      try injectors[.shop].override(as: (any Payments).self, injectable: .singleton(FakePayments("of the test")))
      try injectors.default.register(injectable: .singleton(Shopper("of the test")))
    })
  func test() throws {
    #expect(Shop.open.paymentsName == "of the test")
    #expect(Injector[.shop].paymentsName == "of the test")
    #expect(try Injector.default.get(Shopper.self).id == "of the test")
  }

  @Test("Each case of a parameterized test has its own copies", .isolated, arguments: ["a", "b", "c", "d"])
  func cases(name: String) async throws {
    #expect(Shop.open[Theme.self] == "dark")
    Shop.open[Theme.self] = name
    try Shop.open.register(injectable: .singleton(Shopper(name)))
    await Task.yield()
    #expect(Shop.open[Theme.self] == name)
    #expect(try Shop.open.get(Shopper.self).id == name)
  }

  @Test("An inner isolation starts with the state of the outer one, and does not change it")
  func inner() throws {
    let injector = try Injector.shop(isSealed: true)
    try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments("outer")))
    injector[Theme.self] = "outer"
    let outer = try injector.get(Basket.self)
    try withIsolatedInjectors {
      #expect([injector.paymentsName, injector[Theme.self]] == ["outer", "outer"])
      #expect(try injector.get(Basket.self) !== outer)
      try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments("inner")))
      injector[Theme.self] = "inner"
      #expect([injector.paymentsName, injector[Theme.self]] == ["inner", "inner"])
    }
    #expect([injector.paymentsName, injector[Theme.self]] == ["outer", "outer"])
    #expect(try injector.get(Basket.self) === outer)
  }

  @Test("Tasks, child tasks and other actors see the copies of the test")
  func hops() async throws {
    try Shop.open.override(as: (any Payments).self, injectable: .singleton(FakePayments("here")))
    async let child = Shop.open.paymentsName
    #expect(await child == "here")
    #expect(await Task { Shop.open.paymentsName }.value == "here")
    #expect(await MainActor.run { Shop.open.paymentsName } == "here")
    let names = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<16 {
        group.addTask {
          await Task.yield()
          return Shop.open.paymentsName
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(names == ["here"])
  }

  @Test("A detached task and a thread see the real injectors, unless they carry the isolation along")
  func carried() async throws {
    try Shop.open.override(as: (any Payments).self, injectable: .singleton(FakePayments("here")))
    let isolation = TestIsolation.current
    #expect(await Task.detached { Shop.open.paymentsName }.value == "live")
    #expect(await Task.detached { isolation.run { Shop.open.paymentsName } }.value == "here")
    let name = await Task.detached {
      await isolation.run {
        await Task.yield()
        return Shop.open.paymentsName
      }
    }.value
    #expect(name == "here")
    let names = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: [Shop.open.paymentsName, isolation.run { Shop.open.paymentsName }])
      }
    }
    #expect(names == ["live", "here"])
  }

  @Test("A task that outlives the test still sees the test's copies")
  func survivors() async throws {
    let task = try withIsolatedInjectors {
      try Shop.open.override(as: (any Payments).self, injectable: .singleton(FakePayments("survivor")))
      return Task {
        for _ in 0..<10 { await Task.yield() }
        return Shop.open.paymentsName
      }
    }
    #expect(await task.value == "survivor")
    #expect(Shop.open.paymentsName == "of the suite")
  }

  @Test("A copy that an instance keeps is closed when the test ends")
  func keptCopies() throws {
    final class Keeper: Sendable {
      let injector: Injector
      init(_ injector: Injector) { self.injector = injector }
    }
    let injector = Injector("kept")
    try injector.register(injectable: .lazySingleton { Keeper($0) })
    let keeper = try withIsolatedInjectors { try injector.get(Keeper.self) }
    #expect(keeper.injector !== injector)
    #expect(keeper.injector.isClosed)
    #expect(!injector.isClosed)
  }
}

@Suite("Carrying isolation along outside isolated tests")
struct NoIsolationTests {
  @Test("Work that carries the isolation along runs unchanged outside isolated tests")
  func outside() async throws {
    let isolation = TestIsolation.current
    #expect(isolation.run { 1 } == 1)
    let two = await isolation.run {
      await Task.yield()
      return 2
    }
    #expect(two == 2)
    #expect(throws: CancellationError.self) { try isolation.run { throw CancellationError() } }
    let injector = try Injector.shop()
    let name = try withIsolatedInjectors {
      try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
      return isolation.run { injector.paymentsName }
    }
    #expect(name == "fake")
  }
}
