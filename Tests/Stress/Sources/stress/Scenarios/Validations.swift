import Plug
import PlugKeys
import PlugOperations
import TestSupport

extension Scenario {
  /// Registries that work, whatever has failed in them before: `validate` and `seal` must not refuse them.
  static let validations = Scenario("validations") { round, crew in
    var random = round.random
    let (injector, other) = (Injector("validations"), Injector("other"))
    let count = random.number(in: 1...6)
    let hasFailed = Locked(false)
    try other.register(as: String.self, injectable: .singleton("of another"))
    try injector.register(as: String.self, injectable: .singleton("of its own"))
    try injector.register(
      as: Product.self, tag: "scoped", injectable: .scoped { Source("scoped", in: $0, round).make(from: $0) })
    for index in 0..<count {
      let source = Source("service \(index)", in: injector, round)
      let needs = (index + 1..<count).filter { _ in random.chance(50) }
      let act = random.pick("nothing", "another", "scope", "optional", "failure", "candidate")
      round.note("\(source.name) needs \(needs), and \(act)")
      if act == "candidate" {
        try injector.register(
          PluginPoint<Int, Int>("point \(index)") {
            Candidate("outer", .factory { try $0.get(Int.self, tag: .init(rawValue: "\(index)"), in: 0) + 1 })
              .when(Rule("is positive") { $0 > 0 })
            Candidate("inner", .factory { 1 })
          }, tag: .init(rawValue: "\(index)"))
      }
      let make: @Sendable (Injector) throws -> Product = { injector in
        let needs = try needs.map { try injector.get(Product.self, tag: .init(rawValue: "\($0)")) }
        switch act {
        case "another": _ = try other.get(String.self)
        case "scope":
          let scope = injector.makeScope("own")
          defer { scope.closeNow() }
          _ = try scope.get(Product.self, tag: "scoped")
        case "optional": _ = try? injector.get(Double.self)
        case "failure" where !hasFailed.current:
          hasFailed.withLock { $0 = true }
          _ = try injector.get(Double.self)
        case "candidate": _ = try injector.get(Int.self, tag: .init(rawValue: "\(index)"), in: 1)
        default: break
        }
        return source.make(from: injector, needs: needs)
      }
      let injection: Injection<Product> = random.chance(50) ? .lazySingleton(make) : .factory(make)
      try injector.register(
        as: Product.self, tag: .init(rawValue: "\(index)"),
        injectable: random.chance(50) ? injection : injection.configure { _ = try $1.get(String.self) })
    }
    if random.chance(50) {
      // Requests record dependencies while validation and graph read them.
      crew.run([
        { for index in 0..<count { _ = try? injector.get(Product.self, tag: .init(rawValue: "\(index)")) } },
        { for _ in 0..<3 { _ = try? injector.validate() } },
        { for _ in 0..<3 { _ = injector.graph() } },
      ])
    }
    for turn in 0..<random.number(in: 0...2) {
      for index in 0..<count where turn == 1 || random.chance(70) {
        _ = try? injector.get(Product.self, tag: .init(rawValue: "\(index)"))
      }
    }
    hasFailed.withLock { $0 = true }
    // The registry works now: each service can be got.
    for index in 0..<count { _ = try injector.get(Product.self, tag: .init(rawValue: "\(index)")) }
    try injector.validate()
    try injector.seal()
    for index in 0..<count { _ = try injector.get(Product.self, tag: .init(rawValue: "\(index)")) }
    do throws(InjectorError) {
      try injector.register(as: Double.self, injectable: .singleton(1))
      round.expect(false, "a sealed injector was changed")
    } catch {
      round.expect(error.isSealed, "a sealed injector threw: \(error)")
    }
    injector.closeNow()
    other.closeNow()
  }
}
