import Benchmark
import Plug

protocol Plugin: Sendable {}
final class NumberedPlugin: Plugin {}

struct Shopper: FeatureContext {
  var id = "shopper-4711"
  var enabledFeatures: Set<String>

  static let none = Shopper(enabledFeatures: [])
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

/// Ten candidates on each of ten levels, one inside of the other.
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
    let point = makePoint(count)
    let byHand = PluginsByHand(count)
    let row = "\(count) gated plugins, all in"
    measure(row, .plug, operations: 1) { _ in blackHole(point.plugins(in: .all)) }
    measure(row, .byHand, operations: 1) { _ in blackHole(byHand.plugins(in: .all)) }
  }

  let point = makePoint(100)
  let byHand = PluginsByHand(100)
  measure("100 gated plugins, none in", .plug, operations: 10) { for _ in $0 { blackHole(point.plugins(in: .none)) } }
  measure("100 gated plugins, none in", .byHand, operations: 10) {
    for _ in $0 { blackHole(byHand.plugins(in: .none)) }
  }
  measure("first of 100 gated plugins", .plug) { for _ in $0 { blackHole(point.first(in: .all)) } }
  measure("first of 100 gated plugins", .byHand) { for _ in $0 { blackHole(byHand.first(in: .all)) } }

  let nested = makeNestedPoint()
  measure("10 nested levels of 10 gated plugins", .plug, operations: 10) {
    for _ in $0 { blackHole(nested.plugins(in: .all)) }
  }
  measure("10 nested levels of 10 gated plugins", .byHand, operations: 10) {
    for _ in $0 { blackHole(byHand.nestedPlugins(in: .all)) }
  }
  measure("explain 100 gated plugins", .plug, operations: 1) { _ in
    blackHole(point.explain(in: Shopper(enabledFeatures: ["feature-1"])))
  }

  let rule = Rule<Shopper>.rollout(25, of: "semantic", by: \.id)
  measure("rollout", .plug) { for _ in $0 { blackHole(rule.evaluate(in: .none)) } }
  measure("rollout", .byHand) { for _ in $0 { blackHole(isRolledOut(25, of: "semantic", to: Shopper.none)) } }
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
