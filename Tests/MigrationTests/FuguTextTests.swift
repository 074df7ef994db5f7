import Plug
import PlugFeatures
import PlugKeys
import Synchronization
import Testing

// The usage that fugu.md shows, in Swift 6 mode. Each test names what the text promises.

private enum SomeProperty: Property {
  static let defaultValue: Int = 42
}

/// A property whose value is of its own type.
private struct Locale: Property, Equatable {
  let language: String
  static let defaultValue = Locale(language: "en")
}

private enum Nickname: Property {
  static let defaultValue: String? = nil
}

private struct SomeFeature: Feature {
  let answer: Int

  static func load(in injector: Injector) -> SomeFeature {
    SomeFeature(answer: injector[SomeProperty.self])
  }
}

private protocol Client: Sendable {
  var address: String { get }
}

private struct LiveClient: Client {
  let address: String
}

/// A feature whose instance is of another type, loaded from other features and properties.
private enum Network: Feature {
  static func load(in injector: Injector) -> any Client {
    LiveClient(address: "\(injector[Locale.self].language).example/\(injector.someFeature.answer)")
  }
}

private struct Session: Feature {
  let client: any Client
  let begin: Double

  static func load(in injector: Injector) -> Session {
    Session(client: injector[Network.self], begin: injector.timestamp.now)
  }
}

extension Injector {
  fileprivate var someProperty: Int {
    get { self[SomeProperty.self] }
    set { self[SomeProperty.self] = newValue }
  }

  fileprivate var someFeature: SomeFeature {
    get { self[SomeFeature.self] }
    set { self[SomeFeature.self] = newValue }
  }
}

private final class Values<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])

  var all: [Value] { state.withLock { $0 } }

  func add(_ value: Value) { state.withLock { $0.append(value) } }
}

@Suite("The usage of fugu.md")
struct FuguTextTests {
  @Test("The time is a feature of every container, and can be swapped for a constant one, in all places at once")
  func timestamp() {
    let container = Injector()
    let timestamp = container.timestamp.now
    #expect(timestamp > 1_700_000_000)
    let elsewhere = container
    container.timestamp = .constant(0)
    let constant = elsewhere.timestamp.now
    #expect(constant == 0)
  }

  @Test("A property has its default value until it is set, and then the value that was set")
  func property() {
    let container = Injector()
    let defaultValue = container[SomeProperty.self]
    container[SomeProperty.self] = 7
    let previouslySet = container[SomeProperty.self]
    #expect([defaultValue, previouslySet] == [42, 7])
  }

  @Test("The default value may be nil where the type is optional")
  func optional() {
    let container = Injector()
    #expect(container[Nickname.self] == nil)
    container[Nickname.self] = "bo"
    #expect(container[Nickname.self] == "bo")
  }

  @Test("The value's type can be the property itself")
  func ownType() {
    let container = Injector()
    container[Locale.self] = Locale(language: "pl")
    #expect(container[Locale.self] == Locale(language: "pl"))
  }

  @Test("An extension gives the same property a more natural access")
  func fluentAccess() {
    let container = Injector()
    container[SomeProperty.self] = 7
    let value = container.someProperty
    container.someProperty = 1
    #expect([value, container[SomeProperty.self]] == [7, 1])
  }

  @Test("A feature is loaded when it is needed, in its container, from properties and other features")
  func feature() {
    let container = Injector()
    container.someProperty = 5
    let answerFromFeature = container.someFeature.answer
    #expect(answerFromFeature == 5)
    container.someProperty = 6
    #expect(container.someFeature.answer == 5)
  }

  @Test("A feature's instance can be of any type")
  func instanceOfAnyType() {
    #expect(Injector()[Network.self].address == "en.example/42")
  }

  @Test("Even in a tree of features each element can be swapped by itself")
  func swapInTree() {
    let container = Injector()
    container.timestamp = .constant(9)
    container.someFeature = SomeFeature(answer: 1)
    let session = container[Session.self]
    #expect(session.client.address == "en.example/1")
    #expect(session.begin == 9)
  }

  @Test("Types are the keys: two properties of one value type are two values")
  func keysAreTypes() {
    enum Other: Property { static let defaultValue = 42 }
    let container = Injector()
    container[SomeProperty.self] = 7
    #expect([container[SomeProperty.self], container[Other.self]] == [7, 42])
  }

  @Test("Each change of a property is observed, until the observation is cancelled")
  func observeProperty() {
    let container = Injector()
    let values = Values<Int>()
    let cancelation = container.observe(SomeProperty.self) { newValue in values.add(newValue) }
    container.someProperty = 1
    container.someProperty = 2
    cancelation.cancel()
    container.someProperty = 3
    #expect(values.all == [1, 2])
  }

  @Test("Each change of a feature is observed too, until the observation is cancelled")
  func observeFeature() {
    let container = Injector()
    let values = Values<Int>()
    let cancelation = container.observe(SomeFeature.self) { newValue in values.add(newValue.answer) }
    container.someFeature = SomeFeature(answer: 1)
    container.reset(SomeFeature.self)
    cancelation.cancel()
    container.someFeature = SomeFeature(answer: 3)
    #expect(values.all == [1, 42])
  }

  @Test("Each container has its own values and loads its own features; one that is passed around shares them")
  func independent() {
    let (first, second) = (Injector(), Injector())
    first.someProperty = 1
    second.someProperty = 2
    let shared = first
    #expect([first, second, shared].map(\.someFeature.answer) == [1, 2, 1])
  }

  @Test("An unused container ends, with its instances")
  func ending() {
    final class Held: Sendable {}
    enum Holder: Property { static var defaultValue: Held? { nil } }
    func useOne() -> () -> Held? {
      let container = Injector()
      let held = Held()
      container[Holder.self] = held
      return { [weak held] in held }
    }
    let held = useOne()
    #expect(held() == nil)
  }

  @Test("Shared data is safe from any number of threads")
  func threads() async {
    let container = Injector()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { container.update(SomeProperty.self) { $0 += 1 } } }
    }
    #expect(container.someProperty == 142)
  }
}
