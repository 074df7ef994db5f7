import TestSupport
import Testing

@testable import Plug

@Suite("A lazy singleton under several threads", .serialized)
struct CellTests {
  @Test("is made once: threads that request it meanwhile sleep until the instance is there")
  func waiting() throws {
    let injector = Injector()
    let started = Rendezvous(2)
    let made = Counter()
    try injector.register(as: Instance.self) {
      started.meet()
      made.increment()
      return Instance()
    }
    let outcomes = inParallel(
      { injector.outcome(Instance.self) },
      {
        started.meet()
        return injector.outcome(Instance.self)
      }
    )
    #expect(try outcomes[0].get() === outcomes[1].get())
    #expect(made.value == 1)
  }

  @Test("is released when it is unregistered or replaced, or when its injector ends", arguments: [false, true])
  func release(sealed: Bool) throws {
    weak var weakInstance: Instance?
    do {
      let injector = Injector(nil, allowRewrite: true)
      try injector.register(as: Instance.self) { Instance() }
      if sealed { try injector.seal() }
      weakInstance = try injector.get(Instance.self)
      #expect(weakInstance != nil)
      if !sealed {
        try injector.register(as: Instance.self) { Instance() }
        #expect(weakInstance == nil)
        weakInstance = try injector.get(Instance.self)
        try injector.unregister(type: Instance.self)
        #expect(weakInstance == nil)
        try injector.register(as: Instance.self) { Instance() }
        weakInstance = try injector.get(Instance.self)
      }
    }
    #expect(weakInstance == nil)
  }

  /// A decorator reserves the instance that it is about to replace.
  @Test("with a decorator's reservation is waited for asleep, and is available after a rollback", arguments: 0..<3)
  func reserved(kind: Int) throws {
    let injector = Injector()
    let scope = injector.makeScope()
    try injector.register(as: Instance.self) { Instance() }
    try injector.register(as: String.self, injectable: .scoped { "scoped" })
    try injector.register(as: String.self, taking: Int.self, lifetime: .lazySingleton) { "\($0) \($1.isScope)" }
    let key = [Key(Instance.self), Key(String.self), .taking(Int.self, for: String.self, nil)][kind]
    let found = try #require(try injector.lookUp(key))
    let cell = kind == 1 ? try #require(scope.ownCell(of: found.registration, found, for: 0)?.cell) : found
    #expect(cell.claim.withLock { $0.beginDecorating() })
    let outcomes = inParallel(
      {
        switch kind {
        case 0: (try? injector.get(Instance.self)).map { "\(type(of: $0))" }
        case 1: try? scope.get(String.self)
        default: try? injector.get(String.self, with: 7)
        }
      },
      {
        while cell.claim.withLock({ $0.waiters.isEmpty }) { pause(64) }
        cell.endDecorating()
        return nil
      }
    )
    #expect(outcomes[0] == ["Instance", "scoped", "7 false"][kind])
  }
}
