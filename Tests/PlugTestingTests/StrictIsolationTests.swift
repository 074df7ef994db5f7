import Foundation
import Plug
import PlugKeys
import PlugTesting
import TestSupport
import Testing

@Suite("Strict isolation", .serialized)
struct StrictIsolationTests {
  @Test("A detached task that reaches a real injector is reported, with the lines of the access and the isolation")
  func detached() async throws {
    let injector = Injector("strict")
    Shop.setUp(injector)
    let line = #line + 2
    let issues = await issues {
      await withIsolatedInjectors(strict: true) {
        await Task.detached { _ = injector[(any Payments).self] }.value
      }
    }
    #expect(
      issues == [
        """
        Injector("strict") itself was reached instead of the test's copy: this code has lost the test's isolation.
          reached at:     PlugTestingTests/StrictIsolationTests.swift:\(line + 1)
          isolated at:    PlugTestingTests/StrictIsolationTests.swift:\(line)
        To fix this:
          - Use Task { … } instead of Task.detached { … }, so that the work inherits the isolation.
          - Or carry it along: let isolation = TestIsolation.current, then isolation.run { … } where the work runs.
        """
      ])
  }

  @Test("A thread that carries the isolation along, or uses an injector of the test, is not reported")
  func carried() async throws {
    let injector = try Injector.shop()
    let issues = await issues {
      await withIsolatedInjectors(strict: true) {
        let isolation = TestIsolation.current
        let own = Injector()
        await Task.detached {
          isolation.run { _ = injector.paymentsName }
          own[Theme.self] = "dark"
        }.value
      }
    }
    #expect(issues == [])
  }

  @Test("A test that is not strict does not report code that escapes its isolation")
  func lenient() async throws {
    let injector = try Injector.shop()
    let issues = await issues {
      await withIsolatedInjectors {
        await Task.detached { _ = injector.paymentsName }.value
      }
    }
    #expect(issues == [])
  }

  @Test("Each way to reach an injector is reported with the line of the access", arguments: Way.allCases)
  func ways(way: Way) async throws {
    let injector = try Injector.shop()
    let issues = await issues {
      await withIsolatedInjectors(strict: true) {
        _ = injector.paymentsName
        await Task.detached { way.use(injector) }.value
      }
    }
    let expected = "  reached at:     PlugTestingTests/StrictIsolationTests.swift:\(Way.line + way.rawValue)"
    #expect(Set(issues.map { $0.split(separator: "\n")[1] }) == [Substring(expected)])
  }

  enum Way: UInt, CaseIterable {
    case get = 1, getAll, subscripted, resolved, resolvedOptional, chosen, property, setProperty, feature, provider,
      registered, scope, injected

    static let line: UInt = #line + 3

    func use(_ injector: Injector) {
      switch self {
      case .get: _ = try? injector.get(Basket.self)
      case .getAll: _ = try? injector.getAll(Basket.self)
      case .subscripted: _ = injector[Basket.self]
      case .resolved: _ = injector.resolve(Basket.self)
      case .resolvedOptional: _ = injector.resolve(Basket?.self)
      case .chosen: _ = try? injector.get((any Search).self, in: Shopper())
      case .property: _ = injector[Theme.self]
      case .setProperty: injector[Theme.self] = "dark"
      case .feature: _ = injector[Clock.self]
      case .provider: _ = injector.basket()
      case .registered: _ = try? injector.register(injectable: .singleton(Shopper()))
      case .scope: _ = injector.makeScope()
      case .injected: _ = Injected<Basket>(injector: injector).wrappedValue
      }
    }
  }

  @Test("A property that was read before the test is reported with the line of its declaration")
  func kept() async throws {
    let injector = try Injector.shop()
    let property = Injected<Basket>(injector: injector)
    let line = #line - 1
    _ = property.wrappedValue
    let issues = await issues {
      await withIsolatedInjectors(strict: true) {
        await Task.detached { _ = property.wrappedValue }.value
      }
    }
    #expect(
      issues.map { $0.split(separator: "\n")[1] } == [
        "  reached at:     PlugTestingTests/StrictIsolationTests.swift:\(line)"
      ]
    )
  }

  @Test("A strict trait does not report code in the test itself", .isolated(strict: true))
  func trait() async throws {
    #expect(Shop.sealed.paymentsName == "live")
  }
}
