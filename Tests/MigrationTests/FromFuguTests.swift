import Plug
import PlugKeys
import Synchronization
import Testing

private enum Number: Property { static let defaultValue = 42 }

private struct Answer: Feature, Equatable {
  var value: Int
  static func load(in injector: Injector) -> Answer { Answer(value: injector[Number.self]) }
}

private final class Values: Sendable {
  private let values = Mutex<[Int]>([])

  var all: [Int] { values.withLock { $0 } }

  func add(_ value: Int) {
    values.withLock { $0.append(value) }
  }
}

@Suite("What differs from Fugu")
struct FromFuguTests {
  private let container = Injector()
  private let values = Values()

  @Test("An observer of a property hears of other values that are set, and not of reading, before the setter returns")
  func properties() {
    let token = container.observe(Number.self) { [values] number in values.add(number) }
    #expect(container[Number.self] == 42 && values.all.isEmpty)
    container[Number.self] = 42
    #expect(values.all.isEmpty)
    container[Number.self] = 7
    #expect(values.all == [7])
    container[Number.self] = 7
    container.update(Number.self) { $0 += 1 }
    #expect(values.all == [7, 8])
    container.reset(Number.self)
    #expect(values.all == [7, 8, 42])
    token.cancel()
  }

  @Test("It begins with the value there is if that is asked for")
  func currentValue() {
    let token = container.observe(Number.self, sendsCurrentValue: true) { [values] number in values.add(number) }
    #expect(values.all == [42])
    token.cancel()
  }

  @Test("An observer of a feature hears of each instance that is set, and of a reset, and not of loading")
  func features() {
    let token = container.observe(Answer.self) { [values] answer in values.add(answer.value) }
    #expect(container[Answer.self].value == 42 && values.all.isEmpty)
    container[Answer.self] = Answer(value: 1)
    container[Answer.self] = Answer(value: 1)
    #expect(values.all == [1, 1])
    container.reset(Answer.self)
    #expect(values.all == [1, 1, 42])
    token.cancel()
  }
}
