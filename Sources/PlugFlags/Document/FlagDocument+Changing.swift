extension FlagDocument {
  /// A document without flags.
  public static let empty = FlagDocument(
    contents: FlagDocumentContents(
      json: .object([JSON.Member(key: "flags", value: .object([]))]), flags: [], metadata: [:], problems: []))

  /// Returns the document with a flag that has the same value in every context, as tests need it.
  ///
  /// ```swift
  /// let document = services[Flags.self]
  ///   .replacing(flag: "checkout", with: "one-click")
  /// ```
  ///
  /// The flag keeps its variants, and has the one with this value as its default. If none has it, that is the variant
  /// with this name, and if there is none either, a new one that is called like the value. The flag has no targeting
  /// any more, is enabled, and has no problems. If the document has no such flag, it has one then.
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - value: The value, or the name of a variant.
  /// - Complexity: O(*n*) for *n* flags.
  public func replacing(flag key: String, with value: FlagValue) -> FlagDocument {
    let (old, name) = (self[key], value.text ?? value.description)
    var variants = (old?.variants ?? []).compactMap { old?.variant($0) }
    let chosen = variants.first { $0.value == value } ?? variants.first { $0.name == name }
    if chosen == nil { variants.append(Flag.Variant(name: name, value: value)) }
    let flag = Flag(
      key: key, isEnabled: true, isValid: true, variants: variants, defaultVariant: chosen?.name ?? name,
      metadata: old?.metadata ?? metadata, targeting: nil)
    let path = JSONPath().appending("flags", key).description
    let isOther = { (problem: FlagProblem) in
      !(problem.path == path || problem.path.hasPrefix("\(path).") || problem.path.hasPrefix("\(path)["))
    }
    let known = contents.flags.elements
    return FlagDocument(
      contents: FlagDocumentContents(
        json: contents.json.replacing(flag.json(contents.json["flags"]?[key]?["metadata"]), ofFlag: key),
        flags: old == nil ? known + [flag] : known.map { $0 === old ? flag : $0 }, metadata: metadata,
        problems: problems.filter(isOther)))
  }
}

extension FlagValue {
  fileprivate var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}

extension Flag {
  /// A flag without targeting as JSON.
  fileprivate func json(_ metadata: JSON?) -> JSON {
    let values = variants.compactMap { name in value(of: name).map { JSON.Member(key: name, value: $0.json) } }
    return .object(
      [
        JSON.Member(key: "state", value: .string("ENABLED")), JSON.Member(key: "variants", value: .object(values)),
        JSON.Member(key: "defaultVariant", value: defaultVariant.map(JSON.string) ?? .null),
      ] + (metadata.map { [JSON.Member(key: "metadata", value: $0)] } ?? []))
  }
}

extension JSON {
  /// The document with another flag, which takes the place of all of the same key.
  fileprivate func replacing(_ flag: JSON, ofFlag key: String) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { member in
        guard member.key == "flags", case .object(let flags) = member.value else { return member }
        let place = flags.firstIndex { $0.key.hasSameBytes(as: key) } ?? flags.endIndex
        var others = flags.filter { !$0.key.hasSameBytes(as: key) }
        others.insert(JSON.Member(key: key, value: flag), at: place)
        return JSON.Member(key: "flags", value: .object(others))
      })
  }
}
