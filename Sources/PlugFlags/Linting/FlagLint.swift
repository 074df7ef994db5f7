import Plug

/// Looks through a document for probable mistakes.
struct FlagLint {
  private let contents: FlagDocumentContents
  private let evaluators: [String: JSON]

  init(_ contents: FlagDocumentContents) {
    self.contents = contents
    evaluators = contents.json["$evaluators"]?.membersByName ?? [:]
  }

  func findings() -> [FlagFinding] {
    guard case .object(let members) = contents.json["flags"] ?? .null else { return [] }
    var (findings, used) = (metadata(contents.json, JSONPath()), Set<String>())
    for member in members {
      guard let flag = contents.flags[member.key], flag.isValid else { continue }
      findings += self.findings(in: flag, member.value)
      used.formUnion(TargetingLint.references(in: member.value["targeting"] ?? .null))
    }
    let root = JSONPath().appending("$evaluators")
    for (name, evaluator) in evaluators.sorted(by: { $0.key < $1.key }) {
      let path = root.appending(name)
      if !used.contains(name) { findings.append(FlagFinding(path, "no targeting refers to the evaluator")) }
      // What refers to another evaluator is wrong, and may refer to itself.
      var lint = TargetingLint(flagKey: nil, evaluators: [:])
      lint.visit(evaluator, at: path)
      findings += lint.findings
    }
    return findings
  }

  private func findings(in flag: Flag, _ json: JSON) -> [FlagFinding] {
    let path = JSONPath().appending("flags", flag.key)
    var findings = misspelledNames(json, path) + mixedTypes(flag, path) + metadata(json, path)
    guard flag.isTargeted, let targeting = json["targeting"] else { return findings }
    let targetingPath = path.appending("targeting")
    var lint = TargetingLint(flagKey: flag.key, evaluators: evaluators)
    lint.visit(targeting, at: targetingPath)
    findings += lint.findings
    guard let results = lint.results(of: targeting) else { return findings }
    findings += wrongResults(results, flag, targetingPath)
    let names = Set(results.compactMap(\.variantName))
    for variant in flag.variants where !names.contains(variant) && variant != flag.defaultVariant {
      let message = "the targeting never gives the variant, and it is not the default"
      findings.append(FlagFinding(path.appending("variants", variant), message))
    }
    return findings
  }

  private func wrongResults(_ results: Set<FlagValue>, _ flag: Flag, _ path: JSONPath) -> [FlagFinding] {
    let wrong = results.filter { result in
      result != .null && !(result.variantName.map(flag.variants.contains) ?? false)
    }
    return wrong.map(\.description).sorted().map { result in
      FlagFinding(path, "the targeting can give \(result), which is not the name of a variant")
    }
  }

  private func misspelledNames(_ json: JSON, _ path: JSONPath) -> [FlagFinding] {
    guard case .object(let members) = json else { return [] }
    let known = ["state", "variants", "defaultVariant", "targeting", "metadata"]
    return members.map(\.key).filter { !known.contains($0) }.compactMap { name in
      let hint = Spelling.hint(for: name, among: known)
      return hint.isEmpty ? nil : FlagFinding(path.appending(name), "a flag has no such member\(hint)")
    }
  }

  private func metadata(_ json: JSON, _ path: JSONPath) -> [FlagFinding] {
    guard case .object(let members) = json["metadata"] ?? .null else { return [] }
    return members.compactMap { member in
      switch member.value {
      case .bool, .string, .number: return nil
      default:
        let message = "the value is \(member.value.kind), not a Boolean, string or number"
        return FlagFinding(path.appending("metadata", member.key), message)
      }
    }
  }

  private func mixedTypes(_ flag: Flag, _ path: JSONPath) -> [FlagFinding] {
    let kinds = flag.variants.compactMap { flag.value(of: $0)?.json.kind }
    guard let first = kinds.first, let other = kinds.first(where: { $0 != first }) else { return [] }
    return [FlagFinding(path.appending("variants"), "the variants are of several types: \(first) and \(other)")]
  }
}
