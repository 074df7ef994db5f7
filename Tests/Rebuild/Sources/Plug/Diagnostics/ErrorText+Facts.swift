extension InjectorError.Facts {
  /// The expression that asks for it, if it is no service.
  private var keyExpression: String? {
    switch form {
    case .key(let expression), .property(let expression): expression
    case .standalone: "lazy.get()"
    case .service, .featureAsService, .candidate, .arguments, .module: nil
    }
  }

  var isProperty: Bool {
    if case .property = form { true } else { false }
  }

  /// The whole expression, from where the injector is found; without the injector, if it has no name to be found by.
  ///
  /// - Parameter scope: Opens a scope of it first.
  func call(_ function: String, in scope: String? = nil) -> String {
    let receiver = [path.expression, scope].compactMap(\.self).joined(separator: ".")
    var call = ".\(request(function))"
    if let keyExpression {
      guard keyExpression.hasPrefix("injector") else { return keyExpression }
      call = String(keyExpression.dropFirst("injector".count))
      if call.hasSuffix("()") { call = "\(call.dropLast(2)).\(function)()" }
    }
    return receiver.isEmpty ? String(call.drop { $0 == "." }) : receiver + call
  }

  /// A request as a statement: `try Injector["services"].register(…)`; without the injector, if it has no name to be
  /// found by.
  func statement(_ function: String, label: String? = nil, extra: String? = nil) -> String {
    "try \(receiver)\(request(function, label: label, extra: extra))"
  }

  /// Where the injector is found, before what it is asked: `Injector["services"].`.
  var receiver: String { path.expression.map { "\($0)." } ?? "" }

  /// The expression that changes it: `decorate((any Networking).self)`, `injector.api.decorate()`.
  func change(_ function: String) -> String {
    guard let keyExpression else { return request(function) }
    return "\(keyExpression.prefix { $0 != "(" }).\(function)()"
  }

  /// What has been refused: a registration, or a candidate of a point that is used by itself.
  var refused: String {
    guard let point else { return request("register", label: "as") }
    return "The candidate \"\(candidate ?? "")\" of the point \"\(point)\""
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

extension InjectorError.Facts {
  /// What to do where nothing is registered.
  var absenceAdvice: [String] {
    var advice: [String] = []
    if form == .featureAsService {
      let (injector, key) = (path.expression ?? "self", "[\(typeExpression)]")
      advice.append("Ask for it as a feature: \(injector)\(key).")
      advice.append("Or register it, to get it by its type: try \(injector).register { $0\(key) }.")
    } else {
      let request = statement("register", label: "as", extra: "injectable: …")
      advice.append("Register it before you ask for it: \(request).")
      if isUntouched, previousRegistration == nil, let injector = path.expression {
        advice.append("Or use what sets up \(injector) first: a static let does so when it is first used.")
      }
    }
    if let contenders, let injector = path.expression {
      advice.append(
        "Or close one of the \(contenders) injectors that are called \(injector): the first of them is found by the name."
      )
    }
    if service.hasPrefix("Array<") || service.hasPrefix("Dictionary<String, ") {
      advice.append("Or register its elements: the collection then contains all that apply.")
    }
    if let nearest { advice.append("Or ask for \(nearest.name), if that is what you meant.") }
    return advice
  }

  /// What to do about a second registration.
  var secondRegistrationAdvice: [String] {
    var advice = ["Remove one of the two registrations, or give one of them a tag: tag: \"…\"."]
    if form == .service, candidate == nil {
      let candidate = statement("register", label: "as", extra: "injectable: …, when: …")
      advice.append("Or make one of them a candidate that a rule selects: \(candidate).")
      let contribution = statement("contribute", extra: "injectable: …")
      advice.append("Or keep both, for getAll, and register each so: \(contribution).")
    }
    return advice + ["Or unregister the first, or create the injector with allowRewrite: true."]
  }

  /// What to do where something was asked for elsewhere than on the main actor.
  var mainActorAdvice: [String] {
    let isStandalone = form == .standalone
    let hop = "to the main actor: try await MainActor.run { try \(call("get")) }."
    if !isMadeOnce { return [isStandalone ? "Get it in a @MainActor function." : "Hop \(hop)"] }
    return [
      "Get it once on the main actor, for example at launch. After that, any thread can get it.",
      isStandalone ? "Or get it in a @MainActor function." : "Or hop \(hop)",
    ]
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
