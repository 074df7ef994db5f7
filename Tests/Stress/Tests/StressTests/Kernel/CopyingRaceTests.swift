import Plug
import PlugIsolation
import TestSupport
import Testing

@Suite("A copy of an injector under several threads", .repeatable, .serialized)
struct CopyingRaceTests {
  @Test("has every registration for each thread, also while another thread copies it")
  func copied() throws {
    let injector = Injector("copied")
    let tags = (0..<200).map { Injector.Tag(rawValue: "\($0)") }
    for tag in tags { try injector.register(tag: tag, injectable: .lazySingleton { Instance() }) }
    try race(threads: 3) { _ in
      Sandbox.run { _ in TestIsolation.current }
    } body: { isolation, _ in
      isolation.run { tags.map { injector.outcome(Instance.self, tag: $0) } }
    } check: { _, outcomes in
      let instances = try outcomes.map { try $0.map { ObjectIdentifier(try $0.get()) } }
      #expect(Set(instances).count == 1)
    }
  }
}
