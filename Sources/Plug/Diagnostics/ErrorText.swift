/// Renders every `InjectorError` in one form: a headline, the facts in lines, and what to do.
struct ErrorText: CustomStringConvertible {
  private(set) var headline = ""
  private var lines: [(label: String, value: String)] = []
  private var details: String?
  private var advice: [String] = []

  var description: String {
    var text = headline
    for line in lines {
      text += "\n  " + line.label + ": " + String(repeating: " ", count: 14 - line.label.count) + line.value
    }
    if let details { text += "\n" + details.indented(by: 2) }
    if !advice.isEmpty { text += "\nTo fix this:" }
    for action in advice { text += "\n  - " + action }
    return text
  }

  init(_ error: InjectorError) {
    if case .invalid(_, let report) = error {
      headline = report.description
      return
    }
    let facts = error.facts
    if facts.form == .candidate {
      describeVerdict(error, of: facts.service, at: facts.point ?? "")
      return
    }
    let service = serviceName(facts.service, tag: facts.tag, candidate: facts.candidate)
    add("service", service)
    if let point = facts.point {
      add("point", point)
    } else if facts.form != .standalone {
      add("injector", facts.injector ?? "(unnamed)")
    }
    switch error {
    case .notRegistered where facts.isRemoval:
      let candidate = facts.candidate.map { "candidate: \"\($0)\"" }
      let request = facts.request("unregister", label: "type", extra: candidate)
      headline = "\(request) was refused: nothing is registered for \(service)."
      describeHistory(facts)
      advice = ["Unregister what is there: isRegistered(type:) tells."]
    case .notRegistered where facts.isOverride:
      headline = "\(facts.request("override", label: "as")) was refused: nothing is registered for \(service)."
      describeHistory(facts)
      advice = [
        "If a provider gives it, override that by its key path: override(\\.…) { … }.",
        "Or register it before it is overridden, so that the override reaches somebody.",
      ]
    case .notRegistered where facts.placeholder != nil:
      headline =
        "\(facts.request("get")) failed: \(service) is provided by each scope, and this one has not registered it."
      addChain(facts)
      add("announced at", facts.placeholder)
      let request = facts.request("register", label: "as", extra: "injectable: .singleton(…)")
      advice = ["Register it when the scope is opened: makeScope { try $0.\(request) }."]
    case .notRegistered:
      headline = "\(facts.request("get")) failed: nothing is registered for \(service)."
      describeAbsence(facts)
    case .alreadyRegistered where facts.point != nil:
      headline = "add to the point \"\(facts.point ?? "")\" was refused: it contains \(service) already."
      add("declared at", facts.registeredAt)
      advice = ["Give the new candidate an id of its own, or remove the other first."]
    case .noCandidate(_, let explanation) where facts.point != nil:
      headline = "get(in:) of the point \"\(facts.point ?? "")\" failed: no candidate applies."
      addChain(facts)
      add("declared at", facts.registeredAt)
      details = explanation.description
      advice = ["Add a candidate without a rule as the fallback, or use first(in:), which gives nil."]
    case .alreadyRegistered:
      headline = "\(facts.request("register", label: "as")) was refused: \(service) is registered already."
      add("registered at", facts.registeredAt)
      advice = facts.secondRegistrationAdvice
    case .instanceExists:
      headline = "\(facts.change("decorate")) was refused: an instance of \(service) is in use already."
      addOrigin(facts)
      advice = ["Decorate it before it is got. It need not be registered by then."]
    case .contextMismatch(_, let expected, let found):
      headline = "\(service) is chosen by a context of type \(expected), not \(found)."
      addOrigin(facts)
      advice = [
        "Use a \(expected), or reuse the rule on a larger context with pullback.",
        "Or register the candidates for \(found) under a tag of their own.",
      ]
    case .argumentsMismatch(_, let expected, let found):
      describeMismatch(facts, expected, found, of: service)
    case .noCandidate(_, let explanation):
      headline = "\(facts.request("get")) failed: no candidate for \(service) applies."
      addOrigin(facts)
      details = explanation.description
      let request = facts.request("register", label: "as", extra: "injectable: …")
      advice = ["Register a candidate without a rule as the fallback: \(request)."]
    case .contextMissing(_, let context):
      headline = "\(facts.request("get")) failed: its candidates are chosen by a \(context), and there is none."
      addOrigin(facts)
      advice = ["Give one: \(facts.request("get", extra: "in: …")), or register \(context) in the injector."]
    case .circularDependency(_, let path):
      headline = "\(service) needs itself: \(path.joined(separator: " → "))."
      addOrigin(facts)
      advice = facts.adviceForCircle
    case .depthExceeded(_, let depth) where facts.point != nil:
      headline = "The point \"\(facts.point ?? "")\" is nested too deep: \(depth) points lie one inside of the other."
      add("declared at", facts.registeredAt)
      advice = ["Nest at most \(depth - 1): a point can have any number of candidates, and of points side by side."]
    case .depthExceeded(_, let depth):
      headline = facts.headline(of: service, atDepth: depth)
      addOrigin(facts)
      advice = facts.adviceForDepth
    case .constructionFailed(_, let underlying):
      headline = "\(service) could not be made: \(underlying)"
      addOrigin(facts)
      advice = ["Look at the factory: it threw \(typeName(type(of: underlying))). The next get tries again."]
    case .mainActorRequired:
      headline = "\(service) is made on the main actor, and this get ran elsewhere before it had been made."
      addOrigin(facts)
      advice = facts.mainActorAdvice
    case .notLoaded, .cancelled, .timedOut, .closingFailed:
      addOrigin(facts)
      describeLifecycle(error, of: service)
    case .actorUnsupported(_, let actor):
      headline = "\(facts.refused) was refused: a closure of its injection belongs to \(actor)."
      add("declared at", facts.point.flatMap { _ in facts.registeredAt })
      advice = [
        facts.point == nil
          ? "Use lazySingleton or scoped: what they keep can be loaded asynchronously, and then got."
          : "Register the point in an injector: what lazySingleton and scoped keep can be loaded there.",
        "Or make the closure nonisolated or a main-actor one: a get is synchronous and can run no others.",
      ]
    case .sealed:
      headline = "The registration of \(service) cannot change: the injector is sealed."
      add("registered at", facts.registeredAt)
      advice = ["Register and unregister before seal(), or use an injector that is not sealed."]
    case .closed:
      headline = "\(service) cannot be got or registered: the injector has been closed."
      addChain(facts)
      advice = [
        "Get what is needed before it is closed, and keep nothing that asks the injector later.",
        "Or open another scope: makeScope(\"…\").",
      ]
    case .scopeRequired:
      headline = "\(facts.request("get")) failed: \(service) has one instance for each scope, and this is none."
      addOrigin(facts)
      advice = ["Get it from a scope: try \(facts.call("get", in: "makeScope(\"…\")"))."]
    case .notIsolated:
      describeIsolation("The override of \(service)")
    case .captiveDependency(_, let path):
      headline = "\(service) would be kept by something that lives longer: \(path.joined(separator: " → "))."
      addOrigin(facts)
      advice = [
        "Let what keeps it be scoped too.",
        "Or let it get the service when it is used, from a scope that it is handed.",
      ]
    case .lifetimeUnsupported(_, let lifetime, .valueType(let type)):
      headline = "\(service) cannot be a \(lifetime): \(type) is no class, and only an object can be held weakly."
      addOrigin(facts)
      advice = ["Use lazySingleton, or make it a class."]
    case .lifetimeUnsupported(_, let lifetime, .cannotBeClosed):
      headline = "\(facts.refused) was refused: onClose on a \(lifetime) injection, whose instances no injector keeps."
      addOrigin(facts)
      advice = ["Use scoped or lazySingleton with onClose, or close the instance where it is used."]
    case .lifetimeUnsupported(_, let lifetime, .takesArguments):
      headline = "\(service) cannot be a \(lifetime): it is made from arguments."
      advice = ["Use factory, or lazySingleton or scoped for one instance for equal arguments."]
    case .lifetimeUnsupported(_, let lifetime, .cannotBeEager):
      headline = "\(facts.refused) was refused: eager() on a \(lifetime) injection, whose instances no injector keeps."
      advice = ["Use scoped or lazySingleton with eager(), or leave it out."]
    case .lifetimeUnsupported(_, _, .cannotBeIsolated):
      headline = "\(service) cannot be configured in an isolated test: it is one object for the program and all tests."
      addOrigin(facts)
      advice = facts.adviceForIsolation
    case .invalid: break
    }
  }

  /// Loading or closing an instance has not come to its end.
  private mutating func describeLifecycle(_ error: InjectorError, of service: String) {
    switch error {
    case .notLoaded(let facts):
      headline = "\(facts.request("get")) failed: \(service) is made asynchronously, and has not been loaded yet."
      advice = [
        "Load it: try await \(facts.call("load")).",
        "Or start the injector before it is used: try await \(facts.place.expression.map { "\($0)." } ?? "")start().",
      ]
    case .cancelled(let facts):
      headline = "\(facts.request("load")) was cancelled before \(service) had been made."
      advice = ["Load it in a task that lives until then. If this one was meant to end, nothing is wrong."]
    case .timedOut(_, let limit):
      headline = "\(service) took longer than \(limit), and has been cancelled."
      advice = [
        "Look at what it waits for.",
        "Or give it more time: timeout(loading:closing:) on its injection, or timeout: of start or close.",
      ]
    case .closingFailed(_, let underlying):
      headline = "\(service) could not be closed: \(underlying)"
      advice = ["Look at its onClose, which threw \(typeName(type(of: underlying))). The instance has been given up."]
    default: break
    }
  }

  /// Arguments were given, or left out, that nothing is registered for.
  private mutating func describeMismatch(
    _ facts: InjectorError.Facts, _ expected: [[String]], _ found: [String], of service: String
  ) {
    let lists = expected.map(\.parenthesized).sorted().joined(separator: " or ")
    if facts.isRemoval {
      headline = "\(facts.request("unregister", label: "type")) was refused: \(service) is made from \(lists)."
      add("registered at", facts.registeredAt)
      advice = ["Name the types of the arguments: \(facts.request("unregister", label: "type", extra: "taking: …"))."]
      return
    }
    let given = found.isEmpty ? "and none were given" : "not from \(found.parenthesized)"
    if facts.isOverride {
      headline = "\(facts.request("override", label: "as")) was refused: \(service) is made from \(lists), \(given)."
      add("registered at", facts.registeredAt)
      advice = ["Override what it is made from, with the same types in the same order."]
      return
    }
    headline = "\(facts.request("get")) failed: \(service) is made from \(lists), \(given)."
    addOrigin(facts)
    advice = ["Give arguments of these types, in this order: get(\(facts.typeExpression), with: …)."]
    if expected.joined().contains(where: { $0.hasPrefix("any ") || $0.hasPrefix("Optional<") }) {
      advice.append("A value counts as its own type. Say what it stands for: value as any P, value as P?.")
    }
    advice.append("Or register it \(found.isEmpty ? "without arguments" : "for \(found.parenthesized)") too.")
  }

  private mutating func describeAbsence(_ facts: InjectorError.Facts) {
    addChain(facts)
    describeHistory(facts)
    let request = facts.request("register", label: "as", extra: "injectable: …")
    let call = facts.place.expression.map { "try \($0)." } ?? ""
    advice.append("Register it before it is asked for: \(call)\(request).")
    if facts.form == .featureAsService {
      advice[0] =
        "Ask for it as a feature: \(facts.place.expression ?? "")[\(facts.typeExpression)]. Where it is got by its type, "
        + "register it: \(call)register { $0[\(facts.typeExpression)] }."
    }
    if facts.service.hasPrefix("Array<") || facts.service.hasPrefix("Dictionary<String, ") {
      advice.append("Or register its elements: then the collection has all of them that apply.")
    }
    if let nearest = facts.nearest {
      advice.append("Or ask for \(nearest.name), if that was meant.")
    }
  }

  /// A test has named a candidate that is not there, or is not isolated.
  private mutating func describeVerdict(_ error: InjectorError, of candidate: String, at point: String) {
    add("candidate", candidate)
    add("point", point)
    add("injector", error.facts.injector ?? "(unnamed)")
    if case .notIsolated = error { return describeIsolation("The choice of \"\(candidate)\" at \"\(point)\"") }
    headline = "\"\(candidate)\" at \"\(point)\" cannot be forced or disabled: there is no such candidate."
    describeHistory(error.facts)
    advice = ["Name the id of a candidate, and that of a point around it or its service: explain prints them."]
  }

  private mutating func describeIsolation(_ what: String) {
    headline = "\(what) was refused: no test is isolated here."
    advice = ["Isolate the test: @Test(.isolated), or withIsolatedInjectors { … } around it."]
  }

  private mutating func describeHistory(_ facts: InjectorError.Facts) {
    if let previous = facts.previousRegistration {
      if previous.ownerWasReleased {
        add("history", "was registered at \(previous.registeredAt) and unregistered when its owner was released")
        advice.append("Keep the owner: @Registered registers for as long as the value that holds it lives.")
      } else {
        add("history", "was registered at \(previous.registeredAt) and has been unregistered")
      }
    }
    if let nearest = facts.nearest {
      add("nearest", "\(nearest.name), registered at \(nearest.registeredAt)")
    }
  }

  /// How the request came to the service, and where it stands.
  private mutating func addChain(_ facts: InjectorError.Facts) {
    add("chain", facts.chain)
    add("asked at", facts.requestedAt)
  }

  /// The same, and where the service is registered.
  private mutating func addOrigin(_ facts: InjectorError.Facts) {
    addChain(facts)
    add("registered at", facts.registeredAt)
  }

  private mutating func add(_ label: String, _ value: String) {
    lines.append((label, value))
  }

  private mutating func add(_ label: String, _ chain: [String]) {
    add(label, chain.abbreviated.joined(separator: " → "))
  }

  private mutating func add(_ label: String, _ location: CodeLocation?) {
    if let location { add(label, location.description) }
  }
}
