import Plug
import TestSupport
import Testing

@Suite("An instance whose registration is removed", .serialized)
struct RemovedInstanceTests {
  @Test("is released as soon as it is replaced or unregistered, or its injector ends", arguments: [false, true])
  func release(isSealed: Bool) throws {
    weak var replaced: Instance?
    weak var unregistered: Instance?
    weak var kept: Instance?
    weak var unbuilt: Instance?
    do {
      let injector = Injector(allowRewrite: true)
      try injector.register(injectable: .singleton(Instance()))
      replaced = try injector.get(Instance.self)
      try injector.register { Instance() }
      #expect(replaced == nil)
      unregistered = try injector.get(Instance.self)
      try injector.unregister(Instance.self)
      #expect(unregistered == nil)
      let given = Instance()
      try injector.register(tag: "kept") { Instance() }
      try injector.register(tag: "unbuilt", injectable: .lazySingleton(given) { Instance() })
      if isSealed { try injector.seal() }
      kept = try injector.get(Instance.self, tag: "kept")
      unbuilt = given
      #expect(kept != nil && unbuilt != nil)
    }
    #expect(kept == nil && unbuilt == nil)
  }
}
