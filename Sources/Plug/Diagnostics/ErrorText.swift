/// Renders every `InjectorError` in one form: a headline, a line for each fact, and a fix.
struct ErrorText: CustomStringConvertible {
  let error: InjectorError
  let facts: InjectorError.Facts
  let kind: InjectorError.Facts.Kind
  private let service: String

  init(_ error: InjectorError) {
    self.error = error
    facts = error.facts
    kind = facts.kind
    service = serviceName(facts.service, tag: facts.tag, candidate: facts.candidate)
  }

  var description: String { template.filled(replacement(of:)) }

  /// The first line, which names the failure.
  var headline: String { String(description.prefix { $0 != "\n" }) }

  /// The replacement of a name in angle brackets. Any other name is a function, followed by more of its arguments.
  private func replacement(of name: String) -> String {
    switch name {
    case "fix": return "\nTo fix this:\n  - "
    case "or": return "\n  - Or "
    case "subject": return subject
    case "asked": return subject + line("asked at", facts.requestedAt?.description)
    case "registered": return subject + line("registered at", location)
    case "declared": return subject + line("declared at", location)
    case "history": return subject + history
    case "chain": return subject + chain
    case "origin": return subject + chain + line("registered at", location)
    case "declaration": return subject + chain + line("declared at", location)
    case "absence": return subject + chain + history
    case "act": return culprit.act
    case "part": return culprit.part
    case "culprit": return line(culprit.act + " at", culprit.location?.description)
    case "alternatives": return alternatives
    case "alternative": return facts.values.alternatives.first.map { quoted($0.name) } ?? ""
    case "count": return "\(facts.values.alternatives.count)"
    case "0": return values[0]
    case "1": return values[1]
    case "service": return service
    case "name": return facts.service
    case "type": return typeExpression
    case "point": return facts.point ?? ""
    case "receiver": return receiver
    case "injector": return facts.values.path.expression ?? "self"
    case "place": return facts.values.place ?? "…"
    case "nearest": return facts.nearest ?? ""
    case "refused" where facts.point != nil:
      return "The candidate \"\(facts.candidate ?? "")\" of the point \"\(facts.point ?? "")\""
    case "refused": return request("register")
    case "whole get": return call("get")
    case "whole load": return call("load")
    case "get in a scope": return call("get", in: "makeScope(\"\(facts.values.place ?? "…")\")")
    default: break
    }
    if name.hasPrefix("try ") { return "try " + receiver + replacement(of: String(name.dropFirst(4))) }
    let words = name.split(separator: " ", maxSplits: 1).map(String.init)
    return request(words[0], words.count > 1 ? words[1] : nil)
  }

  /// The values that only some errors have.
  private var values: [String] {
    switch error {
    case .contextMismatch(_, let expected, let found): [expected, found]
    case .argumentsMismatch(_, let expected, let found):
      [expected.map(\.parenthesized).sorted().joined(separator: " or "), found.parenthesized]
    case .noCandidate(_, let explanation): ["\n" + explanation.description.indented(by: 2)]
    case .contextMissing(_, let context): [context]
    case .circularDependency(_, let path), .captiveDependency(_, let path): [path.joined(separator: " → ")]
    case .depthExceeded(_, let depth): ["\(depth)", "\(depth - 1)"]
    case .constructionFailed(_, let underlying), .closingFailed(_, let underlying):
      ["\(underlying)", typeName(type(of: underlying))]
    case .timedOut(_, let limit): ["\(limit)"]
    case .actorUnsupported(_, let actor): [actor]
    case .lifetimeUnsupported(let facts, let lifetime):
      if case .valueType(let type) = facts.values.refusal { ["\(lifetime)", type] } else { ["\(lifetime)"] }
    case .invalid(_, let report): [report.description]
    default: []
    }
  }

  /// The subject of the error, and its injector.
  @inline(never) private var subject: String {
    let injector = line("injector", facts.injector ?? "(unnamed)")
    if kind == .candidate { return line("candidate", facts.service) + line("point", facts.point ?? "") + injector }
    let text = facts[.isAboutInjector] ? "" : line(kind == .module ? "module" : "service", service)
    if facts.point != nil || kind == .standalone { return text + line("point", facts.point) }
    if case .none = facts.values.path { return text + line("injector", "(none)") }
    return text + injector
  }

  /// The closure that threw an error: its act, its name and its location, which is `nil` for the factory.
  private var culprit: (act: String, part: String, location: CodeLocation?) {
    switch facts.values.culprit {
    case nil: ("made", "factory", nil)
    case .configuration(let location): ("configured", "configure closure", location)
    case .decorator(let id, let location):
      ("decorated", id == "\(location)" ? "decorator" : "decorator \(id)", location)
    }
  }

  @inline(never) private var chain: String {
    let chain = facts.chain.abbreviated.joined(separator: " → ")
    return line("chain", facts[.isAboutInjector] ? nil : chain) + line("asked at", facts.requestedAt?.description)
  }

  private var history: String {
    let (previous, nearest) = (facts.values.previousRegistration, facts.suggestion)
    let isReleased = previous?.ownerWasReleased == true
    let end = isReleased ? "unregistered when its owner was released" : "has been unregistered"
    return line("history", previous.map { "was registered at \($0.registeredAt) and \(end)" })
      + line("nearest", nearest.map { "\($0.name), registered at \($0.registeredAt)" })
  }

  @inline(never) private var location: String? { facts.values.registeredAt?.description }

  /// The services that a name can refer to.
  private var alternatives: String {
    let services = facts.values.alternatives.map { "\($0.name), registered at \($0.registeredAt)" }
    return line("injector", facts.injector ?? "(unnamed)")
      + line("services", services.joined(separator: "\n" + String(repeating: " ", count: 18)))
  }

  @inline(never)
  private func line(_ label: String, _ value: String?) -> String {
    value.map { "\n  \(label): \(String(repeating: " ", count: 14 - label.count))\($0)" } ?? ""
  }

  // MARK: User expressions

  /// The expression that names the type: `(any Networking).self`.
  private var typeExpression: String {
    guard let key = facts.key else { return facts.service }
    return codeName(key.withArguments?.arguments?.service ?? key.type) + ".self"
  }

  /// The expression that finds the injector, before the request: `Injector["services"].`.
  private var receiver: String { facts.values.path.expression.map { "\($0)." } ?? "" }

  /// The whole expression, with the injector if its name can find it.
  ///
  /// - Parameter scope: The scope that the expression opens first.
  private func call(_ function: String, in scope: String? = nil) -> String {
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
  private func request(_ function: String, _ extra: String? = nil) -> String {
    if let expression = facts.expression {
      return function == "decorate" ? "\(expression.prefix { $0 != "(" }).decorate()" : expression
    }
    let label = ["register": "as: ", "override": "as: ", "unregister": "type: "][function] ?? ""
    var arguments = [label + typeExpression]
    if let types = facts.arguments {
      let list = types.map { "\(codeName($0)).self" }.joined(separator: ", ")
      arguments.append(label.isEmpty ? "with: …" : "taking: " + list)
    } else {
      if let tag = facts.tag { arguments.append("tag: \"\(tag)\"") }
      if function == "unregister", let id = facts.candidate { arguments.append("candidate: \"\(id)\"") }
      if let extra { arguments.append(extra) }
    }
    let call = "\(function)(\(arguments.joined(separator: ", ")))"
    return facts.arguments != nil && label == "as: " ? call + " { … }" : call
  }
}
