import Foundation

/// A second evaluator of flags, which interprets the tree of a document as the manuals of flagd and JsonLogic say.
struct NaiveFlags {
  static let operators: Set = [
    "var", "missing", "missing_some", "if", "?:", "and", "or", "!", "!!", "log", "==", "!=", "===", "!==", "<", "<=",
    ">", ">=", "in", "+", "-", "*", "/", "%", "max", "min", "map", "filter", "all", "none", "some", "reduce", "merge",
    "cat", "substr", "fractional", "sem_ver", "starts_with", "ends_with",
  ]

  /// The result of an evaluation: the name of a variant or an error, and the reason.
  struct Result: Equatable {
    var variant: String?
    var reason = "ERROR"
    var code: String?
    var message: String?
  }

  let document: NaiveValue
  /// The data that `var` reads.
  let data: NaiveValue
  let targetingKey: String?

  /// - Parameter set: The set of the flag, if the flags are in an array.
  func evaluate(_ key: String, in set: String? = nil) -> Result {
    guard let flag = flag(key, in: set) else { return Result(code: "FLAG_NOT_FOUND") }
    if case .text("DISABLED")? = flag["state"] { return Result(reason: "DISABLED") }
    guard case .object(let variants)? = flag["variants"], let targeting = expanded(flag["targeting"] ?? .null),
      Self.isValid(targeting), variants.allSatisfy({ Self.isVariant($0.value) })
    else { return Result(code: "PARSE_ERROR") }
    let names = variants.map(\.name)
    var standard: String?
    if case .text(let name)? = flag["defaultVariant"], name != "" {
      guard names.contains(name) else { return Result(code: "PARSE_ERROR") }
      standard = name
    }
    func byDefault(_ reason: String) -> Result {
      standard.map { Result(variant: $0, reason: reason) } ?? Result(reason: "DEFAULT")
    }
    if case .object(let members) = targeting, members.isEmpty { return byDefault("STATIC") }
    if targeting.isNull { return byDefault("STATIC") }
    let result = NaiveTargeting(flagKey: key, targetingKey: targetingKey).apply(targeting, data)
    var name: String?
    switch result {
    case .null: return byDefault("DEFAULT")
    case .text, .bool: name = result.asText
    case .number(let number): name = number.isFinite ? result.asText : nil
    case .object: if case .text(let variant)? = result["variant"] { name = variant }
    case .list: break
    }
    var reason = "TARGETING_MATCH"
    if case .object = result, case .text(let own)? = result["reason"] { reason = own }
    if let name, names.contains(name) { return Result(variant: name, reason: reason) }
    let shown = name.map { "\"\($0)\"" } ?? result.json
    return Result(code: "GENERAL", message: "the targeting gave \(shown), which is not the name of a variant")
  }

  /// The flag with a key, in an array the one of a set.
  func flag(_ key: String, in set: String?) -> NaiveValue? {
    guard case .list(let flags)? = document["flags"] else { return document["flags"]?[key] }
    return flags.first { flag in
      guard case .text(key)? = flag["key"], case .text(let own)? = flag["metadata"]?["flagSetId"] else { return false }
      return own == set
    }
  }

  /// A targeting with its evaluators in place; `nil` if one does not exist or refers to another.
  private func expanded(_ value: NaiveValue, isEvaluator: Bool = false) -> NaiveValue? {
    switch value {
    case .list(let elements):
      let all = elements.compactMap { expanded($0, isEvaluator: isEvaluator) }
      return all.count == elements.count ? .list(all) : nil
    case .object(let members) where members.count == 1:
      let (name, operand) = members[0]
      if name == "$ref" {
        guard !isEvaluator, case .text(let name) = operand, let piece = document["$evaluators"]?[name] else {
          return nil
        }
        return expanded(piece, isEvaluator: true)
      }
      return expanded(operand, isEvaluator: isEvaluator).map { .object([(name, $0)]) }
    default: return value
    }
  }

  /// `{"variant": "on"}`, which is no operation.
  static func isVariantName(_ value: NaiveValue) -> Bool {
    guard case .object(let members) = value, members.count == 1, case .text? = value["variant"] else { return false }
    return true
  }

  private static func isVariant(_ value: NaiveValue) -> Bool {
    switch value {
    case .null: false
    default: true
    }
  }

  private static func isValid(_ value: NaiveValue) -> Bool {
    switch value {
    case .list(let elements): elements.allSatisfy(isValid)
    case .object(let members) where members.count == 1:
      isVariantName(value) || operators.contains(members[0].name) && isValid(members[0].value)
    default: true
    }
  }
}

/// JsonLogic with flagd's operators.
struct NaiveTargeting {
  let flagKey: String
  let targetingKey: String?

  func apply(_ logic: NaiveValue, _ data: NaiveValue) -> NaiveValue {
    if case .list(let elements) = logic { return .list(elements.map { apply($0, data) }) }
    guard case .object(let members) = logic, members.count == 1, !NaiveFlags.isVariantName(logic)
    else { return logic }
    let name = members[0].name
    let rules = if case .list(let elements) = members[0].value { elements } else { [members[0].value] }
    func value(_ place: Int) -> NaiveValue { place < rules.count ? apply(rules[place], data) : .null }
    func elements(_ place: Int) -> [NaiveValue]? { if case .list(let all) = value(place) { all } else { nil } }
    switch name {
    case "if", "?:":
      var place = 0
      while place + 1 < rules.count {
        if value(place).isTrue { return value(place + 1) }
        place += 2
      }
      return value(place)
    case "and": return rules.indices.map(value).first { !$0.isTrue } ?? value(rules.count - 1)
    case "or": return rules.indices.map(value).first { $0.isTrue } ?? value(rules.count - 1)
    case "map": return .list((elements(0) ?? []).map { apply(rules[1], $0) })
    case "filter": return .list((elements(0) ?? []).filter { apply(rules[1], $0).isTrue })
    case "all":
      let all = elements(0) ?? []
      return .bool(!all.isEmpty && all.allSatisfy { apply(rules[1], $0).isTrue })
    case "none": return .bool(!(elements(0) ?? []).contains { apply(rules[1], $0).isTrue })
    case "some": return .bool((elements(0) ?? []).contains { apply(rules[1], $0).isTrue })
    case "reduce":
      return (elements(0) ?? []).reduce(value(2)) {
        apply(rules[1], .object([("current", $1), ("accumulator", $0)]))
      }
    default: return operation(name, rules.indices.map(value), data)
    }
  }

  private func operation(_ name: String, _ values: [NaiveValue], _ data: NaiveValue) -> NaiveValue {
    let (first, second) = (values.first ?? .null, values.count > 1 ? values[1] : .null)
    func isOrdered(_ test: (Int) -> Bool) -> NaiveValue {
      .bool(zip(values, values.dropFirst()).allSatisfy { NaiveValue.order($0, $1).map(test) ?? false })
    }
    switch name {
    case "var":
      let found = find(first, data)
      return found.isNull ? second : found
    case "missing": return .list(missing(values, data))
    case "missing_some":
      let paths = if case .list(let all) = second { all } else { [second] }
      let missing = missing(paths, data)
      return .list(Double(paths.count - missing.count) >= first.asNumber ? [] : missing)
    case "log": return first
    case "!": return .bool(!first.isTrue)
    case "!!": return .bool(first.isTrue)
    case "==": return .bool(first == second)
    case "!=": return .bool(!(first == second))
    case "===": return .bool(first === second)
    case "!==": return .bool(!(first === second))
    case "<": return isOrdered { $0 < 0 }
    case "<=": return isOrdered { $0 <= 0 }
    case ">": return isOrdered { $0 > 0 }
    case ">=": return isOrdered { $0 >= 0 }
    case "in":
      if case .list(let all) = second { return .bool(all.contains { $0 === first }) }
      guard case .text(let text) = second else { return .bool(false) }
      return .bool(first.asText == "" || text.range(of: first.asText, options: .literal) != nil)
    case "+": return .number(values.map(\.asLeadingNumber).reduce(0, +))
    case "*": return values.count == 1 ? first : .number(values.map(\.asLeadingNumber).reduce(1, *))
    case "-" where values.count == 1: return .number(-first.asNumber)
    case "-": return .number(values.dropFirst().reduce(first.asNumber) { $0 - $1.asNumber })
    case "/": return .number(values.dropFirst().reduce(first.asNumber) { $0 / $1.asNumber })
    case "%": return .number(fmod(first.asNumber, second.asNumber))
    case "max", "min":
      var numbers = values.map(\.asNumber)
      if values.count == 1, case .list(let all) = first {
        if all.isEmpty { return .null }
        numbers = all.map(\.asNumber)
      }
      if numbers.contains(where: \.isNaN) { return .number(.nan) }
      return .number((name == "max" ? numbers.max() : numbers.min()) ?? 0)
    case "merge": return .list(values.flatMap { if case .list(let all) = $0 { all } else { [$0] } })
    case "cat": return .text(values.map { $0.isNull ? "" : $0.asText }.joined())
    case "substr": return .text(substring(first.asText, second.asNumber, values.count > 2 ? values[2].asNumber : nil))
    case "starts_with", "ends_with":
      guard values.count == 2, case .text(let text) = first, case .text(let affix) = second else { return .null }
      return .bool(
        name == "starts_with"
          ? text.utf8.starts(with: affix.utf8) : text.utf8.reversed().starts(with: affix.utf8.reversed()))
    case "sem_ver": return NaiveVersion.compare(values).map(NaiveValue.bool) ?? .null
    default: return fractional(values)
    }
  }

  private func find(_ path: NaiveValue, _ data: NaiveValue) -> NaiveValue {
    if path.asText == "" || path.isNull { return data }
    return path.asText.components(separatedBy: ".").reduce(data) { $0[$1] ?? .null }
  }

  private func missing(_ paths: [NaiveValue], _ data: NaiveValue) -> [NaiveValue] {
    if case .list(let all)? = paths.first { return missing(all, data) }
    return paths.filter { find($0, data).isNull }
  }

  private func substring(_ text: String, _ start: Double, _ length: Double?) -> String {
    let units = Array(text.utf16)
    func whole(_ number: Double) -> Int { number.isNaN ? 0 : Int(max(-1e6, min(1e6, number.rounded(.towardZero)))) }
    let begin = whole(start) < 0 ? max(0, units.count + whole(start)) : min(whole(start), units.count)
    let rest = units[begin...]
    let part = length.map { whole($0) < 0 ? rest.dropLast(-whole($0)) : rest.prefix(whole($0)) } ?? rest
    return String(decoding: part, as: UTF16.self)
  }

  private func fractional(_ values: [NaiveValue]) -> NaiveValue {
    var (shares, seed) = (values[...], targetingKey.flatMap { $0 == "" ? nil : flagKey + $0 })
    switch values.first {
    case .text(let text)?: (shares, seed) = (shares.dropFirst(), text)
    case .null?: shares = shares.dropFirst()
    case .list?: break
    default: return .null
    }
    guard let seed, !shares.isEmpty else { return .null }
    var ends: [(value: NaiveValue, end: Int)] = []
    for share in shares {
      guard case .list(let parts) = share, let value = parts.first else { return .null }
      switch value {
      case .list, .object: return .null
      default: break
      }
      var weight = 1.0
      switch parts.count > 1 ? parts[1] : .null {
      case .null: break
      case .number(let number) where number == number.rounded(): weight = max(0, number)
      default: return .null
      }
      guard Double(ends.last?.end ?? 0) + weight <= 0x7FFF_FFFF else { return .null }
      ends.append((value, (ends.last?.end ?? 0) + Int(weight)))
    }
    let bucket = Int((UInt64(Self.murmur3(Array(seed.utf8))) * UInt64(ends.last?.end ?? 0)) >> 32)
    return ends.first { bucket < $0.end }?.value ?? .null
  }

  /// MurmurHash3_x86_32 with seed 0.
  static func murmur3(_ bytes: [UInt8]) -> UInt32 {
    func rotate(_ bits: UInt32, _ count: UInt32) -> UInt32 { bits << count | bits >> (32 - count) }
    var hash: UInt32 = 0
    for start in stride(from: 0, to: bytes.count, by: 4) {
      let block = bytes[start..<min(start + 4, bytes.count)]
      var word = block.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      word = rotate(word &* 0xcc9e_2d51, 15) &* 0x1b87_3593
      hash ^= word
      if block.count == 4 { hash = rotate(hash, 13) &* 5 &+ 0xe654_6b64 }
    }
    hash ^= UInt32(bytes.count)
    hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
    hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
    return hash ^ hash >> 16
  }
}
