/// Makes flags of the JSON of a document, and lists what is wrong.
struct FlagReader {
  private(set) var problems: [FlagProblem] = []
  private(set) var metadata: [String: FlagValue] = [:]

  /// The named pieces of targeting; nil for one that cannot be read.
  private var evaluators: [String: (any Expression)?] = [:]

  private let hints = SpellingHints()

  /// What was noted within each flag when the text was read.
  private var notes: [HashedName: [JSONReader.Note]] = [:]

  init(_ json: JSON, _ notes: [JSONReader.Note]) {
    var brokenEvaluators: Set<String> = []
    for note in notes {
      if note.path.key(at: 0) == "flags", let key = note.path.key(at: 1) {
        self.notes[HashedName(key), default: []].append(note)
      } else {
        problems.append(FlagProblem(note.path, note.message))
        if note.path.key(at: 0) == "$evaluators", let name = note.path.key(at: 1) { brokenEvaluators.insert(name) }
      }
    }
    readMetadata(json["metadata"])
    readEvaluators(json["$evaluators"], broken: brokenEvaluators)
  }

  private mutating func readMetadata(_ json: JSON?) {
    switch json.map(FlagValue.init) ?? .null {
    case .null: break
    case .object(let members): metadata = members
    default:
      problems.append(FlagProblem(JSONPath().appending("metadata"), "metadata is \(json?.kind ?? ""), not an object"))
    }
  }

  private mutating func readEvaluators(_ json: JSON?, broken: Set<String>) {
    let path = JSONPath().appending("$evaluators")
    switch json ?? .null {
    case .null: break
    case .object(let members):
      for member in members {
        var compiler = TargetingCompiler(evaluators: nil, hints: hints)
        let expression = compiler.compile(member.value, at: path.appending(member.key))
        problems += compiler.problems
        let isValid = !broken.contains(member.key) && compiler.isValid
        evaluators.updateValue(isValid ? expression : nil, forKey: member.key)
      }
    case let other: problems.append(FlagProblem(path, "$evaluators is \(other.kind), not an object"))
    }
  }

  /// Makes flags of the members of `flags`. Of several with the same key there is one, which is not valid.
  mutating func readFlags(_ members: [JSON.Member]) -> [Flag] {
    var seen: Set<HashedName> = []
    return members.compactMap { member in
      guard seen.insert(HashedName(member.key)).inserted else { return nil }
      return readFlag(member.key, member.value)
    }
  }

  private mutating func readFlag(_ key: String, _ json: JSON) -> Flag {
    var reader = SingleFlagReader(key, json, evaluators: evaluators, hints: hints)
    let own = (notes[HashedName(key)] ?? []).map { FlagProblem($0.path, $0.message) }
    let flag = reader.read(isValid: own.isEmpty, metadata: metadata)
    problems += own + reader.problems
    return flag
  }
}

/// Makes a flag of its JSON.
private struct SingleFlagReader {
  private let key: String
  private let json: JSON
  private let path: JSONPath
  private let evaluators: [String: (any Expression)?]
  private let hints: SpellingHints
  private(set) var problems: [FlagProblem] = []

  init(_ key: String, _ json: JSON, evaluators: [String: (any Expression)?], hints: SpellingHints) {
    (self.key, self.json, self.evaluators, self.hints) = (key, json, evaluators, hints)
    path = JSONPath().appending("flags", key)
  }

  mutating func read(isValid: Bool, metadata: [String: FlagValue]) -> Flag {
    guard case .object = json else {
      problems.append(FlagProblem(path, "the flag is \(json.kind), not an object"))
      return Flag(
        key: key, isEnabled: true, isValid: false, variants: [], defaultVariant: nil, metadata: metadata, targeting: nil
      )
    }
    let isEnabled = readState()
    let variants = readVariants()
    let defaultVariant = readDefaultVariant(variants)
    let targeting = readTargeting()
    let merged = metadata.merging(readMetadata()) { common, own in own == .null ? common : own }
    let isFlawless = isValid && !problems.contains { $0.severity == .error }
    return Flag(
      key: key, isEnabled: isEnabled, isValid: isFlawless, variants: variants, defaultVariant: defaultVariant,
      metadata: merged, targeting: targeting)
  }

  private mutating func add(_ name: String, _ message: String) {
    problems.append(FlagProblem(path.appending(name), message))
  }

  private mutating func readState() -> Bool {
    switch json["state"] {
    case .string("ENABLED"): return true
    case .string("DISABLED"): return false
    case .string(let other): add("state", "state \(JSONWriter.quoted(other)) is unknown; one of ENABLED DISABLED")
    case nil: problems.append(FlagProblem(path, "\"state\" is missing; one of ENABLED DISABLED"))
    case let other?: add("state", "state is \(other.kind), not one of ENABLED DISABLED")
    }
    return true
  }

  private mutating func readVariants() -> [Flag.Variant] {
    switch json["variants"] {
    case .object(let members):
      for member in members {
        switch member.value {
        case .null, .array:
          let message = "the variant is \(member.value.kind), not a Boolean, string, number or object"
          problems.append(FlagProblem(path.appending("variants", member.key), message))
        default: break
        }
      }
      return members.map { Flag.Variant(name: $0.key, value: FlagValue($0.value)) }
    case nil: problems.append(FlagProblem(path, "\"variants\" is missing"))
    case let other?: add("variants", "variants is \(other.kind), not an object")
    }
    return []
  }

  private mutating func readDefaultVariant(_ variants: [Flag.Variant]) -> String? {
    switch json["defaultVariant"] ?? .null {
    case .null, .string(""): return nil
    case .string(let name) where variants.contains { $0.name.hasSameBytes(as: name) }: return name
    case .string(let name):
      let hint = hints.hint(for: name, among: variants.map(\.name))
      add("defaultVariant", "the flag has no variant \(JSONWriter.quoted(name))\(hint)")
    case let other: add("defaultVariant", "defaultVariant is \(other.kind), not the name of a variant")
    }
    return nil
  }

  private mutating func readTargeting() -> (any Expression)? {
    switch json["targeting"] ?? .null {
    case .null, .object([]): return nil
    case let targeting:
      var compiler = TargetingCompiler(evaluators: evaluators, hints: hints)
      let expression = compiler.compile(targeting, at: path.appending("targeting"))
      problems += compiler.problems
      return expression
    }
  }

  private mutating func readMetadata() -> [String: FlagValue] {
    switch json["metadata"].map(FlagValue.init) ?? .null {
    case .null: break
    case .object(let members): return members
    default: add("metadata", "metadata is \(json["metadata"]?.kind ?? ""), not an object")
    }
    return [:]
  }
}
