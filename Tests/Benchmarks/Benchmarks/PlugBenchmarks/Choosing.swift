import Benchmark
import Plug
import PlugKeys
import PlugOperations

protocol Plugin: Sendable {}
final class NumberedPlugin: Plugin {}

struct Shopper: FeatureContext {
  var id = "shopper-4711"
  var enabledFeatures: Set<String>

  static let none = Shopper(enabledFeatures: [])
  static let one = Shopper(enabledFeatures: ["feature-50"])
  static let all = Shopper(enabledFeatures: Set((0..<10_000).map { "feature-\($0)" }))
}

typealias Point = PluginPoint<any Plugin, Shopper>

private func makePoint(_ count: Int) -> Point {
  PluginPoint("plugins") {
    for number in 0..<count {
      Candidate("plugin-\(number)") { NumberedPlugin() }.when(.feature("feature-\(number)"))
    }
  }
}

/// Ten candidates on each of ten levels, one inside the other.
private func makeNestedPoint(_ level: Int = 0) -> Point {
  PluginPoint("level-\(level)", when: .feature("feature-\(level)")) {
    for number in 0..<10 {
      Candidate("plugin-\(level)-\(number)") { NumberedPlugin() }.when(.feature("feature-\(level * 10 + number)"))
    }
    if level < 9 { makeNestedPoint(level + 1) }
  }
}

/// Plugins and their features, chosen by hand.
private struct PluginsByHand: Sendable {
  let plugins: [(feature: String, plugin: any Plugin)]

  init(_ count: Int) {
    plugins = (0..<count).map { ("feature-\($0)", NumberedPlugin()) }
  }

  @inline(never)
  func plugins(in shopper: Shopper) -> [any Plugin] {
    var chosen: [any Plugin] = []
    for (feature, plugin) in plugins where shopper.enabledFeatures.contains(feature) { chosen.append(plugin) }
    return chosen
  }

  @inline(never)
  func first(in shopper: Shopper) -> (any Plugin)? {
    plugins.first { shopper.enabledFeatures.contains($0.feature) }?.plugin
  }

  @inline(never)
  func nestedPlugins(in shopper: Shopper) -> [any Plugin] {
    var chosen: [any Plugin] = []
    for level in 0..<10 {
      guard shopper.enabledFeatures.contains("feature-\(level)") else { break }
      for (feature, plugin) in plugins[level * 10..<(level + 1) * 10]
      where shopper.enabledFeatures.contains(feature) {
        chosen.append(plugin)
      }
    }
    return chosen
  }
}

/// Rules and points.
func choosing() {
  for count in [10, 100, 1000, 10_000] {
    compare(
      "each of \(count) gated plugins, all in", limit: count == 100 ? 2.2 : 0,
      Work(count, on: makePoint(count)) { point, _ in blackHole(point.plugins(in: .all)) },
      with: Work(count, on: PluginsByHand(count)) { byHand, _ in blackHole(byHand.plugins(in: .all)) })
  }

  let point = makePoint(100)
  let byHand = PluginsByHand(100)
  compare(
    "each of 1000 gated plugins against each of 10", limit: 1.2,
    Work(1000, on: makePoint(1000)) { many, _ in blackHole(many.plugins(in: .all)) },
    with: Work(10, on: makePoint(10)) { few, _ in blackHole(few.plugins(in: .all)) })
  compare(
    "100 gated plugins, none in",
    Work(10) { for _ in $0 { blackHole(point.plugins(in: .none)) } },
    with: Work(10) { for _ in $0 { blackHole(byHand.plugins(in: .none)) } })
  compare(  // Its budget is 2.
    "first of 100 gated plugins", limit: 7.5,
    Work { for _ in $0 { blackHole(point.first(in: .all)) } },
    with: Work { for _ in $0 { blackHole(byHand.first(in: .all)) } })

  let injector = Injector()
  demand { try injector.register(point) }
  compare(  // Its budget is 2.
    "get in a context, 100 gated plugins", limit: 8.5,
    Work { for _ in $0 { blackHole(try injector.get((any Plugin).self, in: Shopper.all)) } },
    with: Work { for _ in $0 { blackHole(byHand.first(in: .all)) } })

  let nested = makeNestedPoint()
  compare(
    "10 nested levels of 10 gated plugins, all in",
    Work(10) { for _ in $0 { blackHole(nested.plugins(in: .all)) } },
    with: Work(10) { for _ in $0 { blackHole(byHand.nestedPlugins(in: .all)) } })
  compare(
    "explain 100 gated plugins against choosing them",
    Work(10) { for _ in $0 { blackHole(point.explain(in: .one)) } },
    with: Work(10) { for _ in $0 { blackHole(point.plugins(in: .one)) } })

  let rule = Rule<Shopper>.rollout(25, of: "semantic", by: \.id)
  compare(
    "decide a rollout",
    Work { for _ in $0 { blackHole(rule.evaluate(in: .none)) } },
    with: Work { for _ in $0 { blackHole(isRolledOut(25, of: "semantic", to: Shopper.none)) } })
}

private enum SemanticShare: Property { static var defaultValue: Double { 25 } }

/// Choices while candidates are switched.
func switching() {
  func makeServices() -> Injector {
    let services = Injector()
    demand {
      try services.register(makePoint(10))
      try services.register(PluginPoint<any Network, Shopper>("network") { Candidate("http") { HTTPNetwork() } })
      try services.seal()
    }
    return services
  }
  let (plain, switched) = (makeServices(), makeServices())
  func choose(_ round: Range<Int>) throws {
    for _ in round { blackHole(try switched.get((any Plugin).self, in: Shopper.all)) }
  }
  func whileSwitched(_ candidate: String = "plugin-5", at point: String = "plugins", _ body: () throws -> Void) throws {
    try switched.disable(candidate, at: point, because: "INC-7")
    try body()
    switched[Switches.self] = Switches()
  }
  func whileWatched(_ body: () throws -> Void) throws {
    let token = switched.onSelection(of: (any Plugin).self) { blackHole($0.candidate) }
    try body()
    token.cancel()
  }
  let choosePlainly = Work(100_000) { for _ in $0 { blackHole(try plain.get((any Plugin).self, in: Shopper.all)) } }
  compare(
    "get in a context with an active switch against without", limit: 5.4,
    Work(100_000) { round in try whileSwitched { try choose(round) } }, with: choosePlainly)
  compare(
    "get in a followed context against without", limit: 11,
    Work(100_000) { round in try whileWatched { try choose(round) } }, with: choosePlainly)
  compare(
    "get in a followed context, with an active switch of another point, against without", limit: 12,
    Work(100_000) { round in
      try whileWatched { try whileSwitched("http", at: "network") { try choose(round) } }
    }, with: choosePlainly)
  compare(
    "get in a followed context, with an active switch, against without",
    Work(100_000) { round in try whileWatched { try whileSwitched { try choose(round) } } }, with: choosePlainly)
}

/// Switches of candidates, whose time does not depend on how many others there are.
func disabling() {
  func makeServices(_ count: Int) -> Injector {
    let services = Injector()
    demand { try services.register(makePoint(count)) }
    return services
  }
  func disable(_ services: Injector, _ round: Range<Int>) throws {
    for _ in round {
      try services.disable("plugin-5", at: "plugins", because: "INC-7")
      blackHole(try services.restore("plugin-5", at: "plugins"))
    }
  }
  compare(
    "disable one of 3000 candidates and restore it, against one of 30", limit: 2,
    Work(1000, on: makeServices(3000)) { services, round in try disable(services, round) },
    with: Work(1000, on: makeServices(30)) { services, round in try disable(services, round) })
}

/// A rule that asks for the winner at another point, with few and with many other registrations.
func depending() {
  func makeServices(_ count: Int) -> Injector {
    let services = Injector()
    demand {
      try services.register(makePoint(2))
      try services.register(
        PluginPoint<any Store, Shopper>("store") {
          Candidate("chosen") { NetworkStore(network: ByHand.network) }.when(.selected("plugin-1", at: "plugins"))
          Candidate("other") { NetworkStore(network: ByHand.network) }
        })
      for number in 0..<count {
        let tag = Injector.Tag(rawValue: "\(number)")
        try services.register(as: Int.self, tag: tag, injectable: .factory { number })
      }
    }
    return services
  }
  func choose(_ services: Injector, _ round: Range<Int>) throws {
    for _ in round { blackHole(try services.get((any Store).self, in: Shopper.none)) }
  }
  compare(
    "choose by the winner at another point, with 10000 registered against 10", limit: 2,
    Work(1000, on: makeServices(10_000)) { services, round in try choose(services, round) },
    with: Work(1000, on: makeServices(10)) { services, round in try choose(services, round) })
}

/// Candidates that are divided among identifiers, by weights and by shares that change.
func dividing() {
  let weighted = PluginPoint<any Plugin, Shopper>("checkout") {
    for number in 0..<10 {
      Candidate("plugin-\(number)") { NumberedPlugin() }.weight(Double(number + 1), by: \.id)
    }
  }
  let byHand = WeightsByHand(10)
  compare(
    "draw one of 10 plugins by weight", limit: 11,
    Work { for _ in $0 { blackHole(weighted.first(in: .none)) } },
    with: Work { for _ in $0 { blackHole(byHand.draw(for: .none)) } })

  let services = Injector()
  services[SemanticShare.self] = 25
  demand { try services.seal() }
  let fixed = Rule<Shopper>.rollout(25, of: "semantic", by: \.id)
  let live = Rule<Shopper>.rollout(SemanticShare.self, of: "semantic", by: \.id)
  let decideFixed = Work { for _ in $0 { blackHole(fixed.evaluate(in: .none, from: services)) } }
  compare(
    "decide a rollout with a live share against a fixed one", limit: 3.2,
    Work { for _ in $0 { blackHole(live.evaluate(in: .none, from: services)) } }, with: decideFixed)
}

/// One of several drawn by hand, from where the hash of the identifier lies among the weights.
private struct WeightsByHand: Sendable {
  let bounds: [Double]
  let plugins: [any Plugin]

  init(_ count: Int) {
    bounds = (1...count).map { Double($0 * ($0 + 1) / 2) }
    plugins = (0..<count).map { _ in NumberedPlugin() }
  }

  @inline(never)
  func draw(for shopper: Shopper) -> (any Plugin)? {
    let place = Double(murmur3("checkout:\(shopper.id)")) / 4_294_967_296 * bounds[bounds.count - 1]
    for index in bounds.indices where place < bounds[index] { return plugins[index] }
    return nil
  }
}

/// A rollout by hand, with the same hash.
@inline(never)
private func isRolledOut(_ percentage: Double, of name: String, to shopper: Shopper) -> Bool {
  Double(murmur3("\(name):\(shopper.id)")) / 4_294_967_296 * 100 < percentage
}

private func murmur3(_ key: String) -> UInt32 {
  var key = key
  return key.withUTF8 { bytes in
    var hash: UInt32 = 0
    func mix(_ word: UInt32) {
      let product = word &* 0xcc9e_2d51
      hash ^= (product << 15 | product >> 17) &* 0x1b87_3593
    }
    let blocks = bytes.count / 4
    for block in 0..<blocks {
      mix(UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: block * 4, as: UInt32.self).littleEndian)
      hash = (hash << 13 | hash >> 19) &* 5 &+ 0xe654_6b64
    }
    var tail: UInt32 = 0
    for (index, byte) in bytes[(blocks * 4)...].enumerated() { tail |= UInt32(byte) << (8 * UInt32(index)) }
    mix(tail)
    hash ^= UInt32(bytes.count)
    hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
    hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
    return hash ^ hash >> 16
  }
}
