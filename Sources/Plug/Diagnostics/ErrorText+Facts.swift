extension InjectorError.Facts {
  /// The expression that asks for it, if it is no service.
  private var keyExpression: String? {
    switch form {
    case .key(let expression), .property(let expression): expression
    case .standalone: "lazy.get()"
    case .service, .featureAsService, .candidate, .arguments: nil
    }
  }

  var isProperty: Bool {
    if case .property = form { true } else { false }
  }

  /// The whole expression, with what is asked.
  func call(_ function: String, on receiver: String) -> String {
    guard let keyExpression else { return "\(receiver).\(request(function))" }
    return keyExpression.hasPrefix("injector") ? receiver + keyExpression.dropFirst("injector".count) : keyExpression
  }

  /// The expression that a user types: `get((any Networking).self, tag: "replica")`.
  func request(_ function: String, label: String? = nil, extra: String? = nil) -> String {
    if let keyExpression { return keyExpression }
    if case .arguments(let types) = form {
      let list = types.map { $0.hasPrefix("any ") ? "(\($0)).self" : "\($0).self" }.joined(separator: ", ")
      guard let label else { return "\(function)(\(typeExpression), with: …)" }
      let call = "\(function)(\(label): \(typeExpression), taking: \(list))"
      return label == "as" ? "\(call) { … }" : call
    }
    var arguments = [label.map { "\($0): \(typeExpression)" } ?? typeExpression]
    if let tag { arguments.append("tag: \"\(tag)\"") }
    if let extra { arguments.append(extra) }
    return "\(function)(\(arguments.joined(separator: ", ")))"
  }
}

extension [String] {
  /// The list as a call has it; `no arguments` if it is empty.
  var parenthesized: String { isEmpty ? "no arguments" : "(\(joined(separator: ", ")))" }

  /// The chain with its middle left out, if it is too long to read.
  var abbreviated: [String] {
    count <= 24 ? self : prefix(12) + ["… \(count - 20) more …"] + suffix(8)
  }
}

extension String {
  /// The text with every line moved to the right.
  func indented(by columns: Int) -> String {
    let margin = String(repeating: " ", count: columns)
    return split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : margin + $0 }
      .joined(separator: "\n")
  }
}
