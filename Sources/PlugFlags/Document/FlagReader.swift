/// Makes flags of the JSON of a document, and lists its problems.
struct FlagReader {
  private(set) var problems: [FlagProblem] = []
  private(set) var metadata: [String: FlagValue] = [:]

  /// The named pieces of targeting as they are written.
  private let pieces: [String: JSON]

  /// The named pieces of targeting; nil for one that cannot be read.
  private var evaluators: [String: (any Expression)?] = [:]

  private let hints = SpellingHints()
  private let version: FractionalVersion

  /// The notes that reading the text made within each flag.
  private var notes: [HashedName: [JSONReader.Note]] = [:]

  init(_ json: JSON, _ notes: [JSONReader.Note], _ version: FractionalVersion) {
    self.version = version
    pieces = json["$evaluators"]?.membersByName ?? [:]
    var brokenEvaluators: Set<String> = []
    for note in notes {
      if note.path.key(at: 0) == "flags", let key = note.path.key(at: 1) {
        self.notes[HashedName(key), default: []].append(note)
      } else {
        problems.append(FlagProblem(note.path, note.message))
        if note.path.key(at: 0) == "$evaluators", let name = note.path.key(at: 1) { brokenEvaluators.insert(name) }
      }
    }
    metadata = readMetadata(json, JSONPath())
    readEvaluators(json, broken: brokenEvaluators)
  }

  /// The members of an object in another, which is a flag or the document.
  private mutating func members(of name: String, in json: JSON, _ path: JSONPath) -> [JSON.Member] {
    switch json[name] {
    case .object(let members): return members
    case nil: if name == "variants" { add(path, "\"variants\" is missing") }
    case .null where name != "variants": break
    case let other?: add(path.appending(name), "\(name) is \(other.kind), not an object")
    }
    return []
  }

  /// The metadata of the document, or of a flag.
  private mutating func readMetadata(_ json: JSON, _ path: JSONPath) -> [String: FlagValue] {
    FlagValue.members(members(of: "metadata", in: json, path))
  }

  private mutating func readEvaluators(_ json: JSON, broken: Set<String>) {
    for member in members(of: "$evaluators", in: json, JSONPath()) {
      var compiler = TargetingCompiler(evaluators: nil, hints: hints, version: version)
      let expression = compiler.compile(member.value, at: JSONPath().appending("$evaluators", member.key))
      problems += compiler.problems
      let isValid = !broken.contains(member.key) && compiler.isValid
      evaluators.updateValue(isValid ? expression : nil, forKey: member.key)
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
    let (path, first) = (JSONPath().appending("flags", key), problems.count)
    problems += (notes[HashedName(key)] ?? []).map { FlagProblem($0.path, $0.message) }
    guard case .object = json else {
      add(path, "the flag is \(json.kind), not an object")
      return Flag(
        key: key, isEnabled: true, isValid: false, variants: [], defaultVariant: nil, metadata: metadata,
        targeting: nil, version: version, json: json)
    }
    let isEnabled = readState(json, path)
    let variants = readVariants(json, path)
    let defaultVariant = readDefaultVariant(json, path, variants)
    let targeting = readTargeting(json, path)
    let merged = metadata.merging(readMetadata(json, path)) { common, own in own == .null ? common : own }
    return Flag(
      key: key, isEnabled: isEnabled, isValid: !problems[first...].contains { $0.severity == .error },
      variants: variants, defaultVariant: defaultVariant, metadata: merged, targeting: targeting, version: version,
      json: json.standalone(pieces, metadata: metadata.isEmpty ? nil : .object(merged)))
  }

  private mutating func add(_ path: JSONPath, _ message: String) {
    problems.append(FlagProblem(path, message))
  }

  private mutating func readState(_ json: JSON, _ path: JSONPath) -> Bool {
    switch json["state"] {
    case .string("ENABLED"): return true
    case .string("DISABLED"): return false
    case .string(let other):
      add(path.appending("state"), "state \(JSONWriter.quoted(other)) is unknown; one of ENABLED DISABLED")
    case nil: add(path, "\"state\" is missing; one of ENABLED DISABLED")
    case let other?: add(path.appending("state"), "state is \(other.kind), not one of ENABLED DISABLED")
    }
    return true
  }

  private mutating func readVariants(_ json: JSON, _ path: JSONPath) -> [Flag.Variant] {
    members(of: "variants", in: json, path).map { member in
      switch member.value {
      case .null, .array:
        let message = "the variant is \(member.value.kind), not a Boolean, string, number or object"
        add(path.appending("variants", member.key), message)
      default: break
      }
      return Flag.Variant(name: member.key, value: FlagValue(member.value))
    }
  }

  private mutating func readDefaultVariant(
    _ json: JSON, _ path: JSONPath, _ variants: [Flag.Variant]
  ) -> String? {
    switch json["defaultVariant"] ?? .null {
    case .null, .string(""): return nil
    case .string(let name) where variants.contains { $0.name.hasSameBytes(as: name) }: return name
    case .string(let name):
      let hint = hints.hint(for: name, among: variants.map(\.name))
      add(path.appending("defaultVariant"), "the flag has no variant \(JSONWriter.quoted(name))\(hint)")
    case let other: add(path.appending("defaultVariant"), "defaultVariant is \(other.kind), not the name of a variant")
    }
    return nil
  }

  private mutating func readTargeting(_ json: JSON, _ path: JSONPath) -> (any Expression)? {
    guard let targeting = json["targeting"] else { return nil }
    var compiler = TargetingCompiler(evaluators: evaluators, hints: hints, version: version)
    let expression = compiler.compile(targeting, at: path.appending("targeting"))
    problems += compiler.problems
    switch targeting.piece(of: pieces) ?? targeting {
    case .null, .object([]): return nil
    default: return expression
    }
  }
}
