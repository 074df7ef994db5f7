// Out of line, because the words of errors mention these parts again and again.
extension ErrorText {
  // MARK: Parts of sentences

  @inline(never) var kind: SubjectKind { facts.kind }
  /// The name of the service, with its tag and the candidate.
  @inline(never) var service: String { serviceName(facts.service, tag: facts.tag, candidate: facts.candidate) }
  /// The name of the service alone, or of what else the error is about.
  @inline(never) var name: String { facts.service }
  @inline(never) var point: String { facts.point ?? "" }
  @inline(never) var isOfPoint: Bool { facts.point != nil }

  /// The candidate of a point, whatever its service.
  @inline(never) var choice: String { "\"\(name)\" at \"\(point)\"" }

  /// The closure that threw an error: its act, its name and its location, which is `nil` for the factory.
  var culprit: (act: String, part: String, location: CodeLocation?) {
    switch facts.values.culprit {
    case .factory: ("made", "factory", nil)
    case .configuration(let location): ("configured", "configure closure", location)
    case .decorator(let id, let location):
      ("decorated", id == "\(location)" ? "decorator" : "decorator \(id)", location)
    }
  }

  /// The arguments from which a service can be made.
  @inline(never)
  func list(_ arguments: [[String]]) -> String { arguments.map(\.parenthesized).alphabetical.joined(separator: " or ") }

  // MARK: Facts in lines

  @inline(never)
  func line(_ label: String, _ value: String?) -> String {
    value.map { "\n  \(label): \(String(repeating: " ", count: 14 - label.count))\($0)" } ?? ""
  }

  /// The subject of the error, and its injector.
  @inline(never) var subject: String {
    if kind == .candidate { return line("candidate", name) + line("point", point) + injector }
    let text = facts[.isAboutInjector] ? "" : line(kind == .module ? "module" : "service", service)
    return text + (isOfPoint || kind == .standalone ? line("point", facts.point) : injector)
  }

  @inline(never) var injector: String {
    if case .none = facts.values.path { return line("injector", "(none)") }
    return line("injector", facts.injector ?? "(unnamed)")
  }

  @inline(never) var asked: String { line("asked at", facts.requestedAt?.description) }
  @inline(never) var registered: String { line("registered at", facts.values.registeredAt?.description) }
  @inline(never) var refusedAt: String { line("refused at", facts.requestedAt?.description) }
  @inline(never) var declared: String { line("declared at", facts.values.registeredAt?.description) }

  @inline(never) var chain: String {
    line("chain", facts[.isAboutInjector] ? nil : facts.chain.abbreviated.joined(separator: " → ")) + asked
  }

  /// The facts about a request of a registered service.
  @inline(never) var origin: String { subject + chain + registered }

  /// The facts about a request of a service that has only been declared.
  @inline(never) var declaration: String { subject + chain + declared }

  var nearest: String { line("nearest", findings?.suggestion?.text) }

  /// The services that a name can refer to.
  var alternatives: String {
    let services = facts.values.alternatives.map(\.text)
    return injector + line("services", services.joined(separator: "\n" + String(repeating: " ", count: 18)))
  }

  /// The candidates and why none of them applies.
  @inline(never) func tree(_ explanation: Explanation) -> String { "\n" + explanation.description.indented(by: 2) }

  // MARK: Expressions of users

  /// The expression that names the type: `(any Networking).self`.
  var typeExpression: String {
    guard let key = facts.key else { return name }
    return codeName(key.withArguments?.arguments?.service ?? key.type) + ".self"
  }

  /// The expression that finds the injector, before the request: `Injector["services"].`.
  var receiver: String { facts.values.path.expression.map { "\($0)." } ?? "" }

  /// The failed request: `get((any Networking).self, tag: "replica")`.
  @inline(never) var get: String { request("get") }

  /// The failed request of one candidate: `get((any Search).self, candidate: "voice")`.
  @inline(never) var pick: String { request("get", "candidate: \(quoted(facts.candidate ?? ""))") }

  /// The statement with a request: `try Injector["services"].get((any Networking).self)`.
  @inline(never)
  func attempt(_ function: String, _ extra: String?) -> String { "try " + receiver + request(function, extra) }

  /// The registration that was refused, of a service or of a candidate of a point.
  var refused: String {
    let call = request(facts[.isContribution] ? "contribute" : "register")
    return (isOfPoint ? "The candidate \"\(facts.candidate ?? "")\" of the point \"\(point)\"" : call) + " was refused"
  }

  /// The whole expression, with the injector if its name can find it.
  ///
  /// - Parameter scope: The scope that the expression opens first.
  @inline(never)
  func whole(_ function: String, in scope: String? = nil) -> String {
    var call = "." + request(function)
    if let expression = facts.expression {
      guard expression.hasPrefix("injector") else { return expression }
      call = String(expression.dropFirst("injector".count))
      if call.hasSuffix("()") { call = call.dropLast(2) + ".\(function)()" }
    }
    let receiver = [facts.values.path.expression, scope].compactMap(\.self).joined(separator: ".")
    return receiver.isEmpty ? String(call.drop { $0 == "." }) : receiver + call
  }

  /// The call of a function of an injector: `get((any Networking).self, tag: "replica")`.
  ///
  /// - Parameter extra: More arguments.
  @inline(never)
  func request(_ function: String, _ extra: String? = nil) -> String {
    if let expression = facts.expression {
      return function == "decorate" ? "\(expression.prefix { $0 != "(" }).decorate()" : expression
    }
    var call = "\(function)(\(typeExpression)"
    // With arguments, the tag is a part of the service's name.
    if let tag = facts.arguments == nil ? facts.tag : facts.key?.tag?.rawValue { call += ", tag: \"\(tag)\"" }
    if let types = facts.arguments {
      let isRequest = ["get", "load"].contains(function)
      let list = isRequest ? "with: …" : "taking: " + types.map { codeName($0) + ".self" }.joined(separator: ", ")
      let isMade = ["register", "override"].contains(function)
      return call + ", \(list))" + (isMade ? " { … }" : "")
    }
    if function == "unregister", let id = facts.candidate { call += ", candidate: \"\(id)\"" }
    if let extra { call += ", \(extra)" }
    return call + ")"
  }
}
