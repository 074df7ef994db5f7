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
        try injector.unregister(Instance.self)
        #expect(weakInstance == nil)
        try injector.register(as: Instance.self) { Instance() }
        weakInstance = try injector.get(Instance.self)
      }
    }
    #expect(weakInstance == nil)
  }
}
