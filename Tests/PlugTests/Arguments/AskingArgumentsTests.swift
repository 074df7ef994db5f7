import Plug
import TestSupport
import Testing

/// An argument whose hash and comparison call the injector.
private struct Asking: Hashable, Sendable {
  let injector: Injector
  let id: Int

  static func == (first: Self, second: Self) -> Bool {
    _ = try? first.injector.get(Int.self, with: "compared")
    return first.id == second.id
  }

  func hash(into hasher: inout Hasher) {
    _ = try? injector.get(Int.self, with: "hashed")
    hasher.combine(id)
  }
}

/// An argument with the hash of every other one, whose first comparison requests the service for 2.
private struct Requesting: Hashable, Sendable {
  let id: Int
  let injector: Injector
  let isCompared: Locked<Bool>

  static func == (first: Self, second: Self) -> Bool {
    let isFirst = first.isCompared.withLock { isCompared in
      defer { isCompared = true }
      return !isCompared
    }
    if isFirst {
      let two = Self(id: 2, injector: first.injector, isCompared: first.isCompared)
      _ = try? first.injector.get(Instance.self, with: two)
    }
    return first.id == second.id
  }

  func hash(into hasher: inout Hasher) {}
}

@Suite("An argument that asks the injector")
struct AskingArgumentsTests {
  private let injector = Injector("shop", allowRewrite: true)

  @Test("is hashed and compared without a lock", .timeLimit(.minutes(10)))
  func arguments() throws {
    try injector.register(Int.self, taking: String.self, lifetime: .lazySingleton) { text, _ in text.utf8.count }
    try injector.register(String.self, taking: Asking.self, lifetime: .lazySingleton) { asking, _ in
      "made for \(asking.id)"
    }
    for id in [1, 2, 1] {
      #expect(try injector.get(String.self, with: Asking(injector: injector, id: id)) == "made for \(id)")
    }
  }

  @Test("gets the instance that its own comparison has made for an equal one")
  func comparing() throws {
    let made = Counter()
    try injector.register(Instance.self, taking: Requesting.self, lifetime: .lazySingleton) { _, _ in
      made.increment()
      return Instance()
    }
    let isCompared = Locked(false)
    let instances = try [1, 2, 2].map { id in
      try injector.get(Instance.self, with: Requesting(id: id, injector: injector, isCompared: isCompared))
    }
    #expect(made.value == 2)
    #expect(instances[1] === instances[2])
  }
}
