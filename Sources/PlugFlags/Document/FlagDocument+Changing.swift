extension FlagDocument {
  /// A document without flags.
  public static let empty = FlagDocument(
    contents: FlagDocumentContents(
      json: .object([JSON.Member(key: "flags", value: .object([]))]), flags: [], metadata: [:], problems: []))

  /// Returns the document with a flag that has the same value in every context, for tests.
  ///
  /// ```swift
  /// let document = services[Flags.self]
  ///   .replacing(flag: "checkout", with: "one-click")
  /// ```
  ///
  /// The flag keeps its variants. Its default becomes the variant with this value; if there is none, the variant with
  /// this name; and if there is none either, a new variant that is named after the value. The flag has no targeting any
  /// more, is enabled, and has no problems. If the document has no such flag, it is added.
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - value: The value, or the name of a variant.
  /// - Complexity: O(*n*) for *n* flags.
  public func replacing(flag key: String, with value: FlagValue) -> FlagDocument {
    let (old, name) = (self[key], String.read(value) ?? value.description)
    var variants = (old?.variants ?? []).compactMap { old?.variant($0) }
    let chosen = variants.first { $0.value == value } ?? variants.first { $0.name == name }
    if chosen == nil { variants.append(Flag.Variant(name: name, value: value)) }
    let metadata = old?.metadata ?? metadata
    let json = JSON(chosen?.name ?? name, variants, contents.json.flag(key)?["metadata"])
    let flag = Flag(
      key: key, isEnabled: true, isValid: true, variants: variants, defaultVariant: chosen?.name ?? name,
      metadata: metadata, targeting: nil, version: old?.version ?? .v2,
      json: json.standalone([:], metadata: contents.metadata.isEmpty ? nil : .object(metadata)))
    let known = contents.flags.elements
    return FlagDocument(
      contents: FlagDocumentContents(
        json: contents.json.replacing(json, ofFlag: key),
        flags: old == nil ? known + [flag] : known.map { $0 === old ? flag : $0 },
        of: contents.sets.map { $0.filter { !$0.key.hasSameBytes(as: key) } + [flag] }, metadata: contents.metadata,
        problems: problems.filter { $0.flag?.hasSameBytes(as: key) != true }, origins: contents.origins))
  }
}

extension JSON {
  /// A flag without targeting.
  fileprivate init(_ defaultVariant: String, _ variants: [Flag.Variant], _ metadata: JSON?) {
    self = .object(
      [
        Member(key: "state", value: .string("ENABLED")),
        Member(key: "variants", value: .object(variants.map { Member(key: $0.name, value: $0.value.json) })),
        Member(key: "defaultVariant", value: .string(defaultVariant)),
      ] + (metadata.map { [Member(key: "metadata", value: $0)] } ?? []))
  }

  /// The last flag of the document with a key.
  fileprivate func flag(_ key: String) -> JSON? {
    guard case .array(let flags)? = self["flags"] else { return self["flags"]?[key] }
    return flags.last { $0.hasKey(key) }
  }

  private func hasKey(_ key: String) -> Bool {
    if case .string(let own)? = self["key"] { own.hasSameBytes(as: key) } else { false }
  }

  /// Returns the document with another flag, which replaces all flags with the same key.
  fileprivate func replacing(_ flag: JSON, ofFlag key: String) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { member in
        if member.key == "flags", case .array(let flags) = member.value {
          let others = flags.filter { !$0.hasKey(key) }
          guard case .object(let parts) = flag else { return member }
          let new = JSON.object([JSON.Member(key: "key", value: .string(key))] + parts)
          return JSON.Member(key: "flags", value: .array(others + [new]))
        }
        guard member.key == "flags", case .object(let flags) = member.value else { return member }
        let place = flags.firstIndex { $0.key.hasSameBytes(as: key) } ?? flags.endIndex
        var others = flags.filter { !$0.key.hasSameBytes(as: key) }
        others.insert(JSON.Member(key: key, value: flag), at: place)
        return JSON.Member(key: "flags", value: .object(others))
      })
  }
}
