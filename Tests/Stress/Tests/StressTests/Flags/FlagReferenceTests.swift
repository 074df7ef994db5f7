import Foundation
import PlugFlags
import TestSupport
import Testing

/// Random documents, evaluated by the library and by a second evaluator that shares no code with it.
@Suite("A second evaluator of flags", .repeatable)
struct FlagReferenceTests {
  @Test("returns the same results as the library")
  func documents() throws {
    var reasons: [String: Int] = [:]
    try Rounds.run(2_500) { round in
      var maker = FlagMaker(round.random)
      let (document, attributes) = (maker.document(), maker.attributes())
      let read = try FlagDocument(document.json)
      for key in ["a", "b", "none"] {
        let context = FlagAttributes(
          Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0.value.flagValue) }))
        let time = Date(timeIntervalSince1970: 1_700_000_000.5)
        let result = read.evaluate(key, in: context, at: time)
        let expected = evaluate(key, document, attributes)
        let found = NaiveFlags.Result(
          variant: result.variant, reason: result.reason.rawValue, code: result.errorCode?.rawValue,
          message: result.errorCode == .general ? result.errorMessage : nil)
        try #require(found == expected, "\(key) in \(context.attributes) of \(document.json), \(read.problems)")
        let variants = document["flags"]?[key]?["variants"]
        try #require(result.value == expected.variant.flatMap { variants?[$0]?.flagValue })
        reasons[expected.code ?? expected.reason, default: 0] += 1
      }
    }
    if reasons.values.reduce(0, +) < 7_500 { return }
    // Every kind of result is frequent.
    let kinds = [
      "STATIC", "DEFAULT", "TARGETING_MATCH", "DISABLED", "PARSE_ERROR", "GENERAL", "FLAG_NOT_FOUND", "SPLIT",
    ]
    #expect(reasons.keys.sorted() == kinds.sorted() && reasons.values.allSatisfy { $0 > 30 }, "\(reasons)")
  }

  @Test("returns the same results for each set of an array")
  func sets() throws {
    try Rounds.run(1_000) { round in
      var maker = FlagMaker(round.random)
      let (document, attributes) = (maker.document(inSets: true), maker.attributes())
      let read = try FlagDocument(document.json)
      let context = FlagAttributes(
        Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0.value.flagValue) }))
      for (key, set) in [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"), ("a", "z")] {
        let result = read.flagSet(set).evaluate(key, in: context, at: Date(timeIntervalSince1970: 1_700_000_000.5))
        let expected = evaluate(key, document, attributes, in: set)
        try #require(
          result.variant == expected.variant && result.reason.rawValue == expected.reason
            && result.errorCode?.rawValue == expected.code,
          "\(key) of \(set) in \(context.attributes) of \(document.json), \(read.problems)")
      }
    }
  }

  private func evaluate(
    _ key: String, _ document: NaiveValue, _ attributes: [(name: String, value: NaiveValue)], in set: String? = nil
  ) -> NaiveFlags.Result {
    let properties = NaiveValue.object([("flagKey", .text(key)), ("timestamp", .number(1_700_000_000))])
    let data = NaiveValue.object(attributes + [("$flagd", properties)])
    let targetingKey: String? = if case .text(let text)? = data["targetingKey"] { text } else { nil }
    return NaiveFlags(document: document, data: data, targetingKey: targetingKey).evaluate(key, in: set)
  }
}

/// Makes documents and contexts from random numbers.
private struct FlagMaker {
  private var random: SplitMix64

  /// Whether the expression is evaluated for an element of a list, and can read nothing else.
  private var isInLoop = false

  init(_ random: SplitMix64) {
    self.random = random
  }

  private static let texts = [
    "on", "off", "1", "true", "", "DE", "AT", "2.0", "v1.2.3", "1.2.3-rc.1+5", "1.02.0", "é", "e\u{301}", "😀", " 12 ",
    "0x1F", "-1",
    "1e3", "3.5 kg", "Infinity", "Ulm, DE", "flag",
  ]
  private static let paths = [
    "country", "plan", "tags", "tags.0", "tags.7", "address", "address.city", "age", "targetingKey", "$flagd.flagKey",
    "$flagd.timestamp", "nothing", "age.x", "",
  ]
  private static let elementPaths = ["", "x", "0", "current", "accumulator", "current.x", "country"]

  /// - Parameter inSets: Whether the flags are in an array, and the key "a" is in two sets.
  mutating func document(inSets: Bool = false) -> NaiveValue {
    let pieces = [("piece", targeting(depth: 3)), ("choice", chooser(depth: 3))]
    let flags: NaiveValue =
      inSets
      ? .list([flag("a", in: "x"), flag("b", in: "y"), flag("a", in: "y")]) : .object([("a", flag()), ("b", flag())])
    return .object([
      ("flags", flags), ("$evaluators", .object(pieces)),
      ("metadata", .object([("version", .text("1"))])),
    ])
  }

  private mutating func flag(_ key: String, in set: String) -> NaiveValue {
    guard case .object(let members) = flag() else { return .null }
    return .object(members + [("key", .text(key)), ("metadata", .object([("flagSetId", .text(set))]))])
  }

  private mutating func flag() -> NaiveValue {
    var members: [(String, NaiveValue)] = [
      ("state", .text(random.chance(94) ? "ENABLED" : "DISABLED")),
      ("variants", .object(["on", "off", "1", "true"].map { ($0, variantValue()) })),
    ]
    if random.chance(70) {
      members.append(("defaultVariant", random.pick(.text("on"), .text("off"), .text(""), .null)))
    }
    if random.chance(3) { members.append(("defaultVariant ", .text("x"))) }
    if random.chance(92) { members.append(("targeting", random.chance(60) ? chooser(depth: 4) : targeting(depth: 5))) }
    return .object(members)
  }

  /// A targeting that mostly returns the name of a variant.
  private mutating func chooser(depth: Int) -> NaiveValue {
    switch random.number(in: 0...9) {
    case 0...5:
      var operands: [NaiveValue] = []
      for _ in 0..<random.number(in: 1...3) { operands += [targeting(depth: depth - 1), variant()] }
      if random.chance(60) { operands.append(variant()) }
      return .object([("if", .list(operands))])
    case 6, 7: return fractional(depth: depth)
    case 8: return .object([("$ref", .text(random.pick("choice", "piece", "piece", "none")))])
    default: return .object([])
    }
  }

  private mutating func variant() -> NaiveValue {
    random.pick(.text("on"), .text("off"), .number(1), .bool(true), .null, .text("none"), .list([.text("on")]))
  }

  private mutating func variantValue() -> NaiveValue {
    if random.chance(10) { return .object([("x", value(depth: 1))]) }
    let value = scalar()
    return value.isNull && random.chance(90) ? .bool(true) : value
  }

  private mutating func scalar() -> NaiveValue {
    switch random.number(in: 0...9) {
    case 0: .null
    case 1: .bool(random.chance(50))
    case 2...4: .number(random.pick(0, 1, 2, 3, -1, 0.5, 10, 2.25, -7, 1e-7, 1e15, 123_456))
    default: .text(random.pick(from: Self.texts))
    }
  }

  private mutating func value(depth: Int) -> NaiveValue {
    switch random.number(in: depth > 0 ? 0...9 : 0...6) {
    case 0...6: return scalar()
    case 7, 8: return .list((0..<random.number(in: 0...4)).map { _ in value(depth: depth - 1) })
    default: return .object([("x", value(depth: depth - 1)), ("y", scalar())])
    }
  }

  private mutating func targeting(depth: Int) -> NaiveValue {
    if !isInLoop, random.chance(8) {
      let variant = NaiveValue.text(random.pick("on", "off", "1", "none"))
      return .object([("variant", variant)] + (random.chance(70) ? [("reason", .text("SPLIT"))] : []))
    }
    if depth <= 0 || random.chance(15) { return random.chance(50) ? variable() : value(depth: 1) }
    switch random.number(in: 0...99) {
    case 0...9: return variable()
    case 10...13: return .list(operands(0...4, depth))
    case 14: return .object([("x", scalar()), ("var", scalar())])
    case 15: return .object([("$ref", .text("piece"))])
    case 16: return .object([(random.chance(20) ? "nope" : "log", targeting(depth: depth - 1))])
    case 17...24: return isInLoop ? scalar() : fractional(depth: depth)
    case 25...34: return overElements(depth)
    default: return operation(depth)
    }
  }

  private mutating func variable() -> NaiveValue {
    let path = NaiveValue.text(random.pick(from: isInLoop ? Self.elementPaths : Self.paths))
    if random.chance(30) { return .object([("var", .list([path, scalar()]))]) }
    return .object([("var", random.chance(50) ? path : .list([path]))])
  }

  private mutating func operands(_ count: ClosedRange<Int>, _ depth: Int) -> [NaiveValue] {
    (0..<random.number(in: count)).map { _ in targeting(depth: depth - 1) }
  }

  private mutating func operation(_ depth: Int) -> NaiveValue {
    let (name, count): (String, ClosedRange<Int>) = random.pick(
      ("if", 1...5), ("?:", 3...3), ("and", 1...4), ("or", 1...4), ("!", 1...1), ("!!", 1...1), ("==", 2...2),
      ("!=", 2...2), ("===", 2...2), ("!==", 2...2), ("<", 2...3), ("<=", 2...3), (">", 2...3), (">=", 2...3),
      ("in", 2...2), ("+", 0...3), ("*", 1...3), ("-", 1...3), ("/", 2...3), ("%", 2...2), ("max", 1...3),
      ("min", 1...3), ("merge", 0...3), ("cat", 0...3), ("substr", 2...3), ("sem_ver", 3...3), ("starts_with", 1...3),
      ("ends_with", 2...2), ("missing", 0...3), ("missing_some", 2...2))
    switch name {
    case "missing": return .object([(name, .list((0..<random.number(in: 0...3)).map { _ in path() }))])
    case "missing_some":
      return .object([(name, .list([.number(Double(random.number(in: 0...3))), .list([path(), path()])]))])
    case "sem_ver":
      let comparison = random.pick("=", "!=", "<", "<=", ">", ">=", "^", "~", "==")
      return .object([(name, .list([version(), .text(comparison), version()]))])
    default: return .object([(name, .list(operands(count, depth)))])
    }
  }

  private mutating func path() -> NaiveValue { .text(random.pick(from: Self.paths)) }

  private mutating func version() -> NaiveValue {
    if random.chance(20) { return targeting(depth: 1) }
    let numbers = (0..<random.number(in: 1...3)).map { _ in "\(random.number(in: 0...2))" }.joined(separator: ".")
    return .text(random.pick("", "", "", "v") + numbers + random.pick("", "", "-a", "-1.b", "-10", "-2+x", "+x"))
  }

  private mutating func fractional(depth: Int) -> NaiveValue {
    var operands: [NaiveValue] = []
    if random.chance(30) { operands.append(random.chance(60) ? .text("seed") : targeting(depth: 1)) }
    for name in ["on", "off", "1"].prefix(random.number(in: 0...3)) {
      let value = random.chance(80) ? .text(name) : targeting(depth: depth - 2)
      let weight: [NaiveValue] =
        random.chance(85) ? [.number(random.pick(0, 1, 25, 50, 100, -5))] : random.chance(50) ? [] : [scalar()]
      operands.append(.list([value] + weight))
    }
    return .object([("fractional", .list(operands))])
  }

  private mutating func overElements(_ depth: Int) -> NaiveValue {
    let name = random.pick("map", "filter", "all", "none", "some", "reduce")
    let list = random.chance(50) ? value(depth: 2) : targeting(depth: depth - 1)
    let wasInLoop = isInLoop
    isInLoop = true
    let body = targeting(depth: depth - 1)
    isInLoop = wasInLoop
    return .object([(name, .list(name == "reduce" ? [list, body, scalar()] : [list, body]))])
  }

  mutating func attributes() -> [(name: String, value: NaiveValue)] {
    var attributes: [(name: String, value: NaiveValue)] = []
    if random.chance(80) { attributes.append(("targetingKey", random.pick(.text("lou"), .text("p-17"), .text("")))) }
    for name in ["country", "plan", "age"] where random.chance(80) { attributes.append((name, scalar())) }
    if random.chance(80) { attributes.append(("tags", value(depth: 2))) }
    if random.chance(80) { attributes.append(("address", .object([("city", scalar()), ("x", value(depth: 1))]))) }
    return attributes
  }
}
