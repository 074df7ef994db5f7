import Plug
import TestSupport
import Testing

@Suite("A lazy singleton under several threads", .serialized)
struct CellTests {
  @Test("is waited for asleep: those who come while it is made get what the first one made")
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

  @Test("is released when it is unregistered, replaced, or its injector goes", arguments: [false, true])
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
}
