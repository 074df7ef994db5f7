/// A type's name as its user writes it: without the module, and without `any`.
@usableFromInline
func typeName(_ type: any Any.Type) -> String {
  String(describing: type)
}

/// The name of a service in diagnostics, with its tag, or that of a key.
func serviceName(_ service: any Any.Type, tag: Injector.Tag?, candidate: String? = nil) -> String {
  let (name, tag) = nameParts(service, tag: tag?.rawValue)
  return serviceName(name, tag: tag, candidate: candidate)
}

/// What the name of a service consists of. The tag of a key is a part of its name.
func nameParts(_ service: any Any.Type, tag: String?) -> (name: String, tag: String?) {
  (service as? any TypedKey.Type).map { ($0.name(tag: tag), nil) } ?? (typeName(service), tag)
}

/// Whether it is the type of a protocol's values; the metatype of such a type is called `P.Protocol`.
func isExistential(_ type: any Any.Type) -> Bool {
  String(describing: Swift.type(of: type)).hasSuffix(".Protocol")
}

/// The name of a service in diagnostics: `Networking (tag "replica") [candidate]`.
func serviceName(_ service: String, tag: String?, candidate: String? = nil) -> String {
  var name = service
  if let tag { name += " (tag \"\(tag)\")" }
  if let candidate { name += " [\(candidate)]" }
  return name
}

/// Finds the name that is most like a wanted one.
enum Spelling {
  /// The index of the nearest name, if one is near enough to be meant: at most every second character differs.
  ///
  /// - Complexity: O(*n* · *m*²) for *n* names of length *m*.
  static func nearest(to wanted: String, among names: [String]) -> Int? {
    var best: (index: Int, distance: Int)?
    for (index, name) in names.enumerated() {
      let distance = distance(wanted, name)
      guard distance <= max(wanted.count, name.count) / 2 else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (index, distance) }
    }
    return best?.index
  }

  /// The Levenshtein distance: how many characters must be inserted, removed or replaced (Wagner–Fischer algorithm).
  static func distance(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (i, a) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in second.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
        diagonal = above
      }
    }
    return row[second.count]
  }
}
