import Plug
import PlugFlags

/// A comparison of the flags that a program names with the flags that a document has.
struct FlagComparison {
  /// A line for each flag that only the program names or only the document has, the program's flags first.
  let differences: [String]

  /// - Parameters:
  ///   - document: The document.
  ///   - injector: The injector whose rules name flags, including the rules that a scope inherits.
  ///   - keys: The keys of the flags that the code reads directly.
  init(of document: FlagDocument, to injector: Injector, keys: [String]) {
    let rules = injector.mentions(of: "flag")
    // Compare keys by their bytes: `String` compares canonically equivalent strings as equal.
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
