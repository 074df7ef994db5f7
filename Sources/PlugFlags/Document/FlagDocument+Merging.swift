/// A document that others are merged with, and what its source is called.
typealias FlagOrigin = (name: String, document: FlagDocument)

extension FlagDocument {
  /// Merges documents. If several have a flag with one key, the last of these flags counts.
  ///
  /// - Complexity: O(*n*) for *n* flags.
  init(merging origins: [FlagOrigin]) {
    var (flags, places, metadata) = ([Flag](), NameIndex(), [String: FlagValue]())
    for origin in origins {
      metadata.merge(origin.document.metadata) { _, last in last }
      for flag in origin.document.contents.flags.elements {
        if let place = places[flag.key] {
          flags[place] = flag
        } else {
          places.append(flag.key)
          flags.append(flag)
        }
      }
    }
    let problems = origins.flatMap { origin in
      origin.document.problems.filter { problem in
        guard let key = problem.flag, let place = places[key] else { return true }
        return flags[place] === origin.document[key]
      }
    }
    self.init(flags, metadata, problems, origins, as: origins.count == 1 ? origins[0].document.contents.json : nil)
  }

  /// - Parameter json: The document as JSON; if it is `nil`, the JSON is made of the flags.
  private init(
    _ flags: [Flag], _ metadata: [String: FlagValue], _ problems: [FlagProblem], _ origins: [FlagOrigin] = [],
    as json: JSON? = nil
  ) {
    var members = [JSON.Member(key: "flags", value: .object(flags.map { JSON.Member(key: $0.key, value: $0.json) }))]
    if !metadata.isEmpty { members.append(JSON.Member(key: "metadata", value: FlagValue.object(metadata).json)) }
    self.init(
      contents: FlagDocumentContents(
        json: json ?? .object(members), flags: flags, metadata: metadata, problems: problems, origins: origins))
  }

  /// The document with the flags of one set only: those whose metadata has it as the `flagSetId`. The metadata of
  /// the document counts for flags without one.
  ///
  /// - Parameter id: The set.
  /// - Returns: A document whose own metadata has the set, too. It has no flags if there is no such set.
  /// - Complexity: O(*n*) for *n* flags.
  public func flagSet(_ id: String) -> FlagDocument {
    let flags = contents.flags.elements.filter { $0.metadata["flagSetId"] == .string(id) }
    let chosen = NameTable(flags, name: \.key)
    return FlagDocument(
      flags, metadata.merging(["flagSetId": .string(id)]) { $1 },
      problems.filter { $0.flag.map { chosen[$0] != nil } ?? true })
  }

  /// The name of the source whose flag counts, of those that are followed.
  ///
  /// - Parameter key: The key of the flag.
  /// - Returns: `nil` if there is no such flag, or it comes from nothing that is followed.
  public func source(of key: String) -> String? {
    guard let flag = self[key] else { return nil }
    return contents.origins.last { $0.document[key] === flag }?.name
  }

  /// The keys of the flags that another document does not have, or has differently, and of those that only it has.
  ///
  /// ```swift
  /// for key in new.changedKeys(since: old) { cache.forget(key) }
  /// ```
  ///
  /// A flag differs if anything of it does, also what it has of the document: metadata, and evaluators to which its
  /// targeting refers.
  ///
  /// - Parameter old: The other document.
  /// - Returns: The keys in the order of this document, and then in the order of the other.
  /// - Complexity: O(*n*) for *n* values in the documents.
  public func changedKeys(since old: FlagDocument) -> [String] {
    let changed = contents.flags.elements.filter { flag in
      guard let other = old[flag.key] else { return true }
      return flag !== other && (flag.json != other.json || flag.version != other.version)
    }
    return changed.map(\.key) + old.keys.filter { self[$0] == nil }
  }
}
