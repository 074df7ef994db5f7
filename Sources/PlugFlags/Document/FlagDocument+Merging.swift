/// A document to merge with others, and the name of its source.
typealias FlagOrigin = (name: String, document: FlagDocument)

extension FlagDocument {
  /// Merges documents. If several have a flag with the same key, the last valid one of these flags is used.
  ///
  /// - Complexity: O(*n*) for *n* flags.
  init(merging origins: [FlagOrigin]) {
    var (flags, places, metadata) = ([Flag](), NameIndex(), [String: FlagValue]())
    // The last flag of each key, valid or not.
    var last: [Flag] = []
    for origin in origins {
      metadata.merge(origin.document.metadata) { _, last in last }
      for flag in origin.document.contents.flags.elements {
        if let place = places[flag.key] {
          last[place] = flag
          if flag.isValid || !flags[place].isValid { flags[place] = flag }
        } else {
          places.append(flag.key)
          flags.append(flag)
          last.append(flag)
        }
      }
    }
    let problems = origins.flatMap { origin in
      origin.document.problems.filter { problem in
        guard let key = problem.flag, let place = places[key], let own = origin.document[key] else { return true }
        return flags[place] === own || last[place] === own
      }
    }
    self.init(flags, metadata, problems, origins, as: origins.count == 1 ? origins[0].document.contents.json : nil)
  }

  /// - Parameter json: The document as JSON; if it is `nil`, the JSON is built from the flags.
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

  /// Returns a document with only the flags of one set: the flags whose metadata names it as the `flagSetId`. A flag
  /// without a `flagSetId` has the document's.
  ///
  /// - Parameter id: The set.
  /// - Returns: A document whose own metadata names the set, too. It has no flags if there is no such set.
  /// - Complexity: O(*n*) for *n* flags.
  public func flagSet(_ id: String) -> FlagDocument {
    let all = contents.sets ?? contents.flags.elements
    let flags = all.filter { $0.metadata["flagSetId"] == .string(id) }
    let (chosen, indices) = (NameTable(flags, name: \.key), Set(flags.map(\.index)))
    return FlagDocument(
      contents.sets == nil ? flags : flags.merged, metadata.merging(["flagSetId": .string(id)]) { $1 },
      problems.filter { problem in
        problem.flag.map { chosen[$0] != nil && (problem.index == nil || indices.contains(problem.index)) } ?? true
      })
  }

  /// Returns the name of the followed source whose flag is used.
  ///
  /// - Parameter key: The key of the flag.
  /// - Returns: `nil` if there is no such flag, or it does not come from a followed source.
  public func source(of key: String) -> String? {
    guard let flag = self[key] else { return nil }
    return contents.origins.last { $0.document[key] === flag }?.name
  }

  /// Returns the keys of the flags that were added, changed or removed since another document.
  ///
  /// ```swift
  /// for key in new.changedKeys(since: old) { cache.forget(key) }
  /// ```
  ///
  /// A flag has changed if any part of it has, including the parts that it takes from the document: metadata, and the
  /// evaluators that its targeting refers to.
  ///
  /// - Parameter old: The other document.
  /// - Returns: The keys in the order of this document, followed by the removed keys in the order of the other.
  /// - Complexity: O(*n*) for *n* values in the documents.
  public func changedKeys(since old: FlagDocument) -> [String] {
    let changed = contents.flags.elements.filter { flag in
      guard let other = old[flag.key] else { return true }
      return flag !== other && (flag.json != other.json || flag.version != other.version)
    }
    return changed.map(\.key) + old.keys.filter { self[$0] == nil }
  }
}

extension [Flag] {
  /// The last valid flag of each key, or the last one if none is valid, in the order of the first ones.
  var merged: [Flag] {
    var (flags, places) = ([Flag](), NameIndex())
    for flag in self {
      if let place = places[flag.key] {
        if flag.isValid || !flags[place].isValid { flags[place] = flag }
      } else {
        places.append(flag.key)
        flags.append(flag)
      }
    }
    return flags
  }
}
