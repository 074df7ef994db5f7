package import Plug

/// Which flags a program names, and which a document has.
package struct FlagComparison: Sendable {
  /// A line for each flag that only one of them knows, those of the program first.
  package let differences: [String]

  /// - Parameters:
  ///   - document: The document.
  ///   - injector: Whose rules name flags, also in what this is a scope of.
  ///   - keys: What the code names besides.
  package init(of document: FlagDocument, to injector: Injector, keys: [String]) {
    let rules = injector.mentionsOfFlags
    let (named, known) = (Set(rules.keys).union(keys), Set(document.keys))
    let missing = named.subtracting(known).sorted().map { key in
      var users = rules[key, default: []].map { "rules of \($0.service), registered at \($0.place)" }
      if keys.contains(key) { users.append("a FlagKey") }
      let hint = Spelling.hint(for: key, among: document.keys)
      return "the document has no flag \(JSONWriter.quoted(key)), named by " + users.joined(separator: ", and by ")
        + hint
    }
    let unused = document.keys.filter { !named.contains($0) }.map { key in
      "the document has a flag \(JSONWriter.quoted(key)) that no rule and no FlagKey names"
    }
    differences = missing + unused
  }
}

extension Injector {
  /// The services whose rules name a flag, by its key, with the places of their registrations; of this injector and of
  /// what it is a scope of.
  fileprivate var mentionsOfFlags: [String: [(service: String, place: CodeLocation)]] {
    var places: [String: [(service: String, place: CodeLocation)]] = [:]
    var seen: Set<Key> = []
    let registered = sequence(first: redirected() ?? self, next: \.parent).flatMap(\.cells)
    let services = registered.filter { seen.insert($0.registration.key).inserted }.map { cell in
      (name: typeName(cell.registration.key.type), cell: cell)
    }
    for service in services.sorted(by: { $0.name < $1.name }) {
      for key in Set(service.cell.selector?.mentions.filter { $0.kind == Mention.flag }.map(\.key) ?? []) {
        places[key, default: []].append((service.name, service.cell.registration.location))
      }
    }
    return places
  }
}
