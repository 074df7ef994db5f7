import Plug

/// Searches a document for probable mistakes.
struct FlagLint {
  private(set) var findings: [FlagFinding] = []
  private let contents: FlagDocumentContents
  private(set) var evaluators: [String: JSON] = [:]
  /// The bucketing values of the splits around the visited value.
  var splits: [JSON] = []

  /// The key of the flag that is being visited; `nil` in an evaluator, which several flags may use.
  private(set) var flagKey: String?

  init(_ contents: FlagDocumentContents) {
    self.contents = contents
    guard case .object(let members) = contents.json["$evaluators"] else { return }
    for member in members { evaluators[member.key] = member.value }
  }

  mutating func add(_ path: JSONPath, _ message: String) { findings.append(FlagFinding(path, message)) }

  mutating func visitDocument() {
    visitMetadata(contents.json, at: JSONPath())
    var used = Set<String>()
    func visitFlag(_ flag: Flag?, _ json: JSON, at path: JSONPath) {
      guard let flag, flag.isValid else { return }
      visit(flag, json, at: path)
      used.formUnion(Self.references(in: json["targeting"] ?? .null))
    }
    switch contents.json["flags"] {
    case .object(let members):
      for member in members {
        visitFlag(contents.flags[member.key], member.value, at: JSONPath().appending("flags", member.key))
      }
    case .array(let elements):
      for flag in contents.sets ?? [] {
        guard let index = flag.index else { continue }
        visitFlag(flag, elements[index], at: JSONPath().appending("flags").appending(index: index))
      }
    default: return
    }
    let known = evaluators.sorted { $0.key < $1.key }
    // An evaluator that refers to an evaluator is wrong, and may even refer to itself: follow no references here.
    (evaluators, flagKey) = ([:], nil)
    for (name, evaluator) in known {
      let path = JSONPath().appending("$evaluators", name)
      if !used.contains(name) { add(path, "no targeting refers to the evaluator") }
      visit(evaluator, at: path)
    }
  }

  private mutating func visit(_ flag: Flag, _ json: JSON, at path: JSONPath) {
    flagKey = flag.key
    visitNames(json, at: path)
    visitTypes(flag, at: path)
    visitMetadata(json, at: path)
    guard flag.isTargeted, let targeting = json["targeting"] else { return }
    visit(targeting, at: path.appending("targeting"))
    guard let results = results(of: targeting) else { return }
    let wrong = results.filter { !$0.isNull && !($0.variantName.map(flag.variants.contains) ?? false) }
    for result in wrong.map(\.description).sorted() {
      add(path.appending("targeting"), "the targeting can give \(result), which is not the name of a variant")
    }
    let names = Set(results.compactMap(\.variantName))
    for variant in flag.variants where !names.contains(variant) && variant != flag.defaultVariant {
      add(path.appending("variants", variant), "the targeting never gives the variant, and it is not the default")
    }
  }

  private mutating func visitNames(_ json: JSON, at path: JSONPath) {
    guard case .object(let members) = json else { return }
    let known = ["state", "variants", "defaultVariant", "targeting", "metadata"]
    for name in members.map(\.key) where !known.contains(name) {
      let hint = Spelling.hint(for: name, among: known)
      if !hint.isEmpty { add(path.appending(name), "a flag has no such member\(hint)") }
    }
  }

  private mutating func visitMetadata(_ json: JSON, at path: JSONPath) {
    guard case .object(let members) = json["metadata"] ?? .null else { return }
    for member in members {
      switch member.value {
      case .bool, .string, .number: break
      case let other:
        add(path.appending("metadata", member.key), other.mismatch("the value", "a Boolean, string or number"))
      }
    }
  }

  private mutating func visitTypes(_ flag: Flag, at path: JSONPath) {
    let kinds = flag.variants.compactMap { flag.value(of: $0)?.json.kind }
    guard let first = kinds.first, let other = kinds.first(where: { $0 != first }) else { return }
    add(path.appending("variants"), "the variants are of several types: \(first) and \(other)")
  }
}
