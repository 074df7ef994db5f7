import Plug
import PlugFlags

/// Which flags a program names, and which a document has.
struct FlagComparison {
  /// A line for each flag that only one of them knows, those of the program first.
  let differences: [String]

  /// - Parameters:
  ///   - document: The document.
  ///   - injector: Whose rules name flags, also in what this is a scope of.
  ///   - keys: What the code names besides.
  init(of document: FlagDocument, to injector: Injector, keys: [String]) {
    let rules = injector.mentions(of: Mention.flag)
    // Texts are equal if their bytes are.
    let named = Dictionary((Array(rules.keys) + keys).map { (Array($0.utf8), $0) }) { first, _ in first }
    let missing = named.values.filter { document[$0] == nil }.sorted().map { key in
      var users = rules[key, default: []].map { "rules of \($0.service), registered at \($0.place)" }
      if keys.contains(key) { users.append("a FlagKey") }
      let hint = Spelling.hint(for: key, among: document.keys)
      let known = users.joined(separator: ", and by ")
      return "the document has no flag \(FlagValue.string(key)), named by \(known)\(hint)"
    }
    let unused = document.keys.filter { named[Array($0.utf8)] == nil }.map { key in
      "the document has a flag \(FlagValue.string(key)) that no rule and no FlagKey names"
    }
    differences = missing + unused
  }
}
