import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private enum SharedInstance: Feature {
  static func load(in injector: Injector) -> Instance { Instance() }
}

@Suite("A feature under several threads", .repeatable)
struct FeatureRaceTests {
  @Test("is loaded exactly once by eight threads, also in a sealed injector", arguments: [false, true])
  func cold(sealed: Bool) throws {
    try race(threads: 8) { _ in
      let injector = Injector()
      if sealed { try injector.seal() }
      return injector
    } body: { (injector: Injector, _) -> Instance in
      injector[SharedInstance.self]
    } check: { _, instances in
      #expect(Set(instances.map(ObjectIdentifier.init)).count == 1)
    }
  }
}
