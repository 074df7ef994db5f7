/// Builds the flags of a document from its JSON, and lists the problems.
struct FlagReader {
  private(set) var problems: [FlagProblem] = []
  private(set) var metadata: [String: FlagValue] = [:]

  /// The named pieces of targeting, by name.
  private var evaluators: [String: Evaluator] = [:]

  private let hints = SpellingHints()
  private let version: FractionalVersion

  /// The problems that the JSON reader has found within flags: a list for each key in `noted`.
  private var notes: [[FlagProblem]] = []
  private var noted = NameIndex()
  /// The problems that it has found within flags of an array, by the indices of these flags.
  private var notesByIndex: [Int: [FlagProblem]] = [:]

  init(_ json: JSON, _ notes: [FlagProblem], _ version: FractionalVersion) {
    self.version = version
    var broken = NameIndex()
    for note in notes {
      if let index = note.index {
        notesByIndex[index, default: []].append(note)
        continue
      }
      guard let key = note.flag else {
        problems.append(note)
        if let name = note.evaluator { broken.append(name) }
        continue
      }
      if noted.insert(key) { self.notes.append([]) }
      if let place = noted[key] { self.notes[place].append(note) }
    }
    metadata = readMetadata(json, JSONPath())
    for member in members(of: "$evaluators", in: json, JSONPath()) {
      let path = JSONPath().appending("$evaluators", member.key)
      let (expression, isValid) = compile(member.value, at: path, evaluators: nil)
      hints.evaluators.append(member.key)
      evaluators[member.key] = Evaluator(member.value, isValid && broken[member.key] == nil ? expression : nil)
    }
  }

  /// Returns the members of an object within a flag or the document, and adds a problem if the value is not an object.
  private mutating func members(of name: String, in json: JSON, _ path: JSONPath) -> [JSON.Member] {
    switch json[name] {
    case .object(let members): return members
    case nil: if name == "variants" { add(path, "\"variants\" is missing") }
    case .null where name != "variants": break
    case let other?: add(path.appending(name), other.mismatch(name, "an object"))
    }
    return []
  }

  /// The metadata of the document, or of a flag.
  @inline(never)
  private mutating func readMetadata(_ json: JSON, _ path: JSONPath) -> [String: FlagValue] {
    FlagValue.members(members(of: "metadata", in: json, path))
  }

  @inline(never)
  private mutating func compile(
    _ json: JSON, at path: JSONPath, evaluators: [String: Evaluator]?
  ) -> (expression: any Expression, isValid: Bool) {
    var compiler = TargetingCompiler(evaluators: evaluators, hints: hints, version: version)
    let expression = compiler.compile(json, at: path)
    problems += compiler.problems
    return (expression, compiler.isValid)
  }

  /// Builds a flag from each member of `flags`. Members with the same key become one flag, which is not valid.
  mutating func readFlags(_ members: [JSON.Member]) -> [Flag] {
    var (seen, flags) = (NameIndex(), [Flag]())
    for member in members where seen.insert(member.key) {
      let first = problems.count
      if let place = noted[member.key] { problems += notes[place] }
      flags.append(readFlag(member.key, member.value, at: JSONPath().appending("flags", member.key), from: first))
    }
    return flags
  }

  /// Builds a flag from each element of an array that has a key. Flags of one set with the same key are not valid.
  mutating func readFlags(_ elements: [JSON]) -> [Flag] {
    var (counts, flags) = ([String: Int](), [Flag]())
    for element in elements { counts[identity(of: element), default: 0] += 1 }
    for (index, element) in elements.enumerated() {
      let (path, first) = (JSONPath().appending("flags").appending(index: index), problems.count)
      problems += notesByIndex[index] ?? []
      guard case .object(let members) = element else {
        add(path, element.mismatch("the flag", "an object"))
        continue
      }
      guard case .string(let key)? = element["key"], !key.isEmpty else {
        add(path.appending("key"), "\"key\" is missing, or not a string with the key of the flag")
        continue
      }
      if counts[identity(of: element), default: 0] > 1 {
        add(path.appending("key"), "the set has several flags with the key \(JSONWriter.quoted(key))")
      }
      let json = JSON.object(members.filter { $0.key != "key" })
      flags.append(readFlag(key, json, at: path, from: first, index: index))
      for place in problems.indices[first...] { problems[place].flag = key }
    }
    return flags
  }

  /// The key and the set of a flag in an array.
  private func identity(of flag: JSON) -> String {
    let set = flag["metadata"]?["flagSetId"].map { FlagValue($0) } ?? metadata["flagSetId"] ?? .null
    return JSONWriter.text(of: .array([flag["key"] ?? .null, set.json]), isIndented: false)
  }

  /// - Parameter first: The number of problems before those of the flag.
  private mutating func readFlag(
    _ key: String, _ json: JSON, at path: JSONPath, from first: Int, index: Int? = nil
  ) -> Flag {
    guard case .object = json else {
      add(path, json.mismatch("the flag", "an object"))
      return Flag(
        key: key, isEnabled: true, isValid: false, variants: [], defaultVariant: nil, metadata: metadata,
        targeting: nil, version: version, json: json)
    }
    let isEnabled = readState(json, path)
    let variants = readVariants(json, path)
    let defaultVariant = readDefaultVariant(json, path, variants)
    let targeting = readTargeting(json, path)
    var merged = metadata
    for (name, value) in readMetadata(json, path) where !value.isNull || merged[name] == nil { merged[name] = value }
    return Flag(
      key: key, isEnabled: isEnabled, isValid: !problems[first...].contains { $0.severity == .error },
      variants: variants, defaultVariant: defaultVariant, metadata: merged, targeting: targeting, version: version,
      json: json.standalone(evaluators, metadata: metadata.isEmpty ? nil : .object(merged)), index: index)
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
    case let other?: add(path.appending("state"), other.mismatch("state", "one of ENABLED DISABLED"))
    }
    return true
  }

  private mutating func readVariants(_ json: JSON, _ path: JSONPath) -> [Flag.Variant] {
    members(of: "variants", in: json, path).map { member in
      switch member.value {
      case .null:
        let message = member.value.mismatch("the variant", "a Boolean, string, number, array or object")
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
    case let other:
      add(path.appending("defaultVariant"), other.mismatch("defaultVariant", "the name of a variant"))
    }
    return nil
  }

  private mutating func readTargeting(_ json: JSON, _ path: JSONPath) -> (any Expression)? {
    guard let targeting = json["targeting"] else { return nil }
    let (expression, _) = compile(targeting, at: path.appending("targeting"), evaluators: evaluators)
    switch targeting.reference.flatMap({ evaluators[$0]?.json }) ?? targeting {
    case .null, .object([]): return nil
    default: return expression
    }
  }
}
