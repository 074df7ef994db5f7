import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

@Suite("The value of a property, small or large")
struct PropertySizeTests {
  @Test("keeps its objects until the property is set or reset, or the scope is closed")
  func ends() {
    let living = LivingCount()
    let injector = Injector()
    injector[Small.self] = WeakPair(Tracked(living))
    injector[Large.self] = Row(last: Tracked(living))
    let scope = injector.makeScope()
    scope[Small.self] = WeakPair(Tracked(living))
    scope[Large.self] = Row(last: Tracked(living))
    #expect(living.current == 4)
    scope[Large.self] = Row(last: Tracked(living))
    scope[Small.self] = WeakPair(nil)
    #expect(living.current == 3 && living.total == 5)
    scope.closeNow()
    #expect(living.current == 2)
    injector.reset(Large.self)
    injector.reset(Small.self)
    #expect(living.current == 0)
  }

  @Test("is read as it was set, even if it holds a weak reference or is too large to store inline")
  func values() {
    let injector = Injector()
    let instance = Tracked(LivingCount())
    injector[Small.self] = WeakPair(instance)
    injector[Large.self] = Row(numbers: SIMD8(1, 2, 3, 4, 5, 6, 7, 8), last: instance)
    injector.update(Large.self) { $0.numbers[0] = 9 }
    let scope = injector.makeScope()
    scope.update(Large.self) { $0.numbers[1] = 9 }
    #expect(injector[Small.self].kept === instance && injector[Small.self].seen === instance)
    #expect(injector[Large.self].numbers == SIMD8(9, 2, 3, 4, 5, 6, 7, 8))
    #expect(scope[Large.self].numbers == SIMD8(9, 9, 3, 4, 5, 6, 7, 8) && scope[Large.self].last === instance)
  }
}

/// A small value that cannot be moved byte by byte.
private struct WeakPair: Sendable {
  let kept: Tracked?
  private(set) weak var seen: Tracked?

  init(_ instance: Tracked?) { (kept, seen) = (instance, instance) }
}

private struct Row: Sendable {
  var numbers = SIMD8<Int>()
  var last: Tracked?
}

private enum Small: Property { static var defaultValue: WeakPair { WeakPair(nil) } }
private enum Large: Property { static var defaultValue: Row { Row() } }
