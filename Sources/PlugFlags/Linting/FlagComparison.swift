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
    let rules = injector.mentions(of: Mention.flag)
    let (named, known) = (Set((Array(rules.keys) + keys).map(HashedName.init)), Set(document.keys.map(HashedName.init)))
    let missing = named.subtracting(known).map(\.text).sorted().map { key in
      var users = rules[key, default: []].map { "rules of \($0.service), registered at \($0.place)" }
      if keys.contains(key) { users.append("a FlagKey") }
      let hint = Spelling.hint(for: key, among: document.keys)
      return "the document has no flag \(JSONWriter.quoted(key)), named by " + users.joined(separator: ", and by ")
        + hint
    }
    let unused = document.keys.filter { !named.contains(HashedName($0)) }.map { key in
      "the document has a flag \(JSONWriter.quoted(key)) that no rule and no FlagKey names"
    }
    differences = missing + unused
  }
}
