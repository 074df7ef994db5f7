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
    if !facts.isAboutInjector { add(facts.form == .module ? "module" : "service", service) }
    if let point = facts.point {
      add("point", point)
    } else if facts.form != .standalone {
      add("injector", facts.injector ?? (facts.path == .none ? "(none)" : "(unnamed)"))
    }
    switch error {
    case .notRegistered where facts.isRemoval:
      let candidate = facts.candidate.map { "candidate: \"\($0)\"" }
      let request = facts.request("unregister", label: "type", extra: candidate)
      headline = "\(request) was refused: nothing is registered for \(service)."
      describeHistory(facts)
      advice = ["Check isRegistered(type:) before you unregister it."]
    case .notRegistered where facts.isOverride:
      headline = "\(facts.request("override", label: "as")) was refused: nothing is registered for \(service)."
      describeHistory(facts)
      advice = [
        "If a provider makes it, override the provider by its key path: try \(facts.receiver)override(\\.…) { … }.",
        "Or register it before you override it.",
      ]
    case .notRegistered where facts.placeholder != nil:
      headline =
        "\(facts.request("get")) failed: each scope registers its own \(service), and this one has not."
      addChain(facts)
      add("declared at", facts.placeholder)
      let request = facts.request("register", label: "as", extra: "injectable: .singleton(…)")
      advice = ["Register it when you open the scope: try makeScope { try $0.\(request) }."]
    case .notRegistered:
      headline = "\(facts.request("get")) failed: nothing is registered for \(service)."
      describeAbsence(facts)
    case .alreadyRegistered where facts.point != nil:
      headline = "add to the point \"\(facts.point ?? "")\" was refused: it already contains \(service)."
      add("declared at", facts.registeredAt)
      advice = ["Give the new candidate its own id, or remove the existing one first."]
    case .noCandidate(_, let explanation) where facts.point != nil:
      headline = "get(in:) of the point \"\(facts.point ?? "")\" failed: no candidate applies."
      addChain(facts)
      add("declared at", facts.registeredAt)
      details = explanation.description
      advice = ["Add a candidate without a rule as the fallback, or use first(in:), which returns nil."]
    case .alreadyRegistered:
      headline = "\(facts.request("register", label: "as")) was refused: \(service) is already registered."
      add("registered at", facts.registeredAt)
      advice = facts.secondRegistrationAdvice
    case .instanceExists:
      headline = "\(facts.change("decorate")) was refused: an instance of \(service) is already in use."
      addOrigin(facts)
      advice = ["Decorate it before anything gets it. It does not have to be registered yet."]
    case .contextMismatch(_, let expected, let found):
      headline = "\(service) is chosen by a context of type \(expected), not \(found)."
      addOrigin(facts)
      advice = [
        "Pass a \(expected), or use pullback to apply its rules to a larger context.",
        "Or register the candidates for \(found) under their own tag.",
      ]
    case .argumentsMismatch(_, let expected, let found):
      describeMismatch(facts, expected, found, of: service)
    case .noCandidate(_, let explanation):
      headline = "\(facts.request("get")) failed: no candidate for \(service) applies."
      addOrigin(facts)
      details = explanation.description
      let request = facts.statement("register", label: "as", extra: "injectable: …")
      advice = ["Register a candidate without a rule as the fallback: \(request)."]
    case .contextMissing(_, let context):
      headline = "\(facts.request("get")) failed: its candidates need a \(context), and none was passed or registered."
      addOrigin(facts)
      advice = ["Pass one: \(facts.statement("get", extra: "in: …")), or register \(context) in the injector."]
    case .circularDependency where facts.form == .module, .constructionFailed where facts.form == .module:
      (headline, advice) = error.refusalOfModule
      add("asked at", facts.requestedAt)
    case .circularDependency(_, let path):
      headline = "\(service) depends on itself: \(path.joined(separator: " → "))."
      addOrigin(facts)
      advice = facts.adviceForCircle
    case .depthExceeded(_, let depth) where facts.point != nil:
      headline = "The point \"\(facts.point ?? "")\" is nested too deeply: \(depth) points, one inside another."
      add("declared at", facts.registeredAt)
      advice = ["Nest at most \(depth - 1) points. A point can hold any number of candidates and points side by side."]
    case .depthExceeded(_, let depth):
      headline = facts.headline(of: service, atDepth: depth)
      addOrigin(facts)
      advice = facts.adviceForDepth
    case .constructionFailed(_, let underlying):
      addOrigin(facts)
      let (act, part) = addCulprit(facts)
      headline = "\(service) could not be \(act): \(underlying)"
      advice = ["Check the \(part), which threw \(typeName(type(of: underlying))). The next get tries again."]
    case .mainActorRequired:
      headline = "\(facts.request("get")) failed: \(service) is made on the main actor, and this call ran elsewhere."
      addOrigin(facts)
      advice = facts.mainActorAdvice
    case .notLoaded, .cancelled, .timedOut, .closingFailed:
      addOrigin(facts)
      describeLifecycle(error, of: service)
    case .actorUnsupported(_, let actor):
      headline = "\(facts.refused) was refused: a closure of its injection is isolated to \(actor)."
      add("declared at", facts.point.flatMap { _ in facts.registeredAt })
      advice = [
        facts.point == nil
          ? "Use lazySingleton or scoped, whose instances can be loaded asynchronously."
          : "Register the point in an injector, where lazySingleton and scoped instances can be loaded.",
        "Or make the closure nonisolated or @MainActor: get is synchronous and cannot call another actor.",
      ]
    case .sealed:
      headline = "The registrations of \(service) cannot change: the injector is sealed."
      add("registered at", facts.registeredAt)
      advice = ["Register and unregister before seal(), or use an injector that is not sealed."]
    case .closed:
      headline = facts.headlineForClosed(service)
      addChain(facts)
      advice = facts.adviceForClosed
    case .currentMissing:
      headline = "\(facts.request("get")) failed: this code runs in no current injector."
      addChain(facts)
      advice = facts.adviceForCurrent
    case .scopeRequired:
      let scope = facts.requiredScope
      headline =
        scope.map {
          "\(facts.request("get")) failed: \(service) has one instance per scope \"\($0)\", and no such scope is open here."
        }
        ?? "\(facts.request("get")) failed: \(service) has one instance per scope, and this injector is not one."
      addOrigin(facts)
      advice = ["Get it from a scope: try \(facts.call("get", in: "makeScope(\"\(scope ?? "…")\")"))."]
    case .notIsolated:
      describeIsolation("The override of \(service)")
    case .captiveDependency(_, let path):
      headline = "\(service) would be captured by a longer-lived service: \(path.joined(separator: " → "))."
      addOrigin(facts)
      advice = [
        "Make the longer-lived service scoped too.",
        "Or pass it a scope, and let it get the service from there when it needs it.",
      ]
    case .lifetimeUnsupported(_, let lifetime, .valueType(let type)):
      headline = "\(service) cannot be a \(lifetime): \(type) is not a class, and only objects can be held weakly."
      addOrigin(facts)
      advice = ["Use lazySingleton, or make it a class."]
    case .lifetimeUnsupported(_, let lifetime, .cannotBeClosed):
      headline = "\(facts.refused) was refused: onClose would never run, as no injector keeps \(lifetime) instances."
      addOrigin(facts)
      advice = ["Use scoped or lazySingleton with onClose, or close the instance where you use it."]
    case .lifetimeUnsupported(_, let lifetime, .cannotBeEager):
      headline = "\(facts.refused) was refused: eager() has no effect, as no injector keeps \(lifetime) instances."
      advice = ["Use scoped or lazySingleton with eager(), or remove eager()."]
    case .lifetimeUnsupported(_, _, .cannotBeIsolated):
      headline = "\(service) cannot be configured in an isolated test: the program and all tests share one object."
      addOrigin(facts)
      advice = facts.adviceForIsolation
    case .invalid: break
    }
  }

  /// Loading or closing an instance has not come to its end.
  private mutating func describeLifecycle(_ error: InjectorError, of service: String) {
    switch error {
    case .notLoaded(let facts):
      headline = "\(facts.request("get")) failed: \(service) is made asynchronously and has not been loaded yet."
      advice = [
        "Load it: try await \(facts.call("load")).",
        "Or start the injector before you use it: try await \(facts.receiver)start().",
      ]
    case .cancelled(let facts):
      let isStart = facts.isAboutInjector
      headline =
        isStart
        ? "The start of the injector was cancelled."
        : "\(facts.request("load")) was cancelled before \(service) was made."
      let task = "a task that lives long enough. If you meant to cancel the task, there is nothing to fix."
      advice = ["\(isStart ? "Start" : "Load") it from \(task)"]
    case .timedOut(_, let limit):
      headline = "\(service) took longer than \(limit) and was cancelled."
      advice = [
        "Check what it waits for.",
        "Or give it more time: timeout(loading:closing:) on its injection, or the timeout: of start or close.",
      ]
    case .closingFailed(_, let underlying):
      headline = "\(service) could not be closed: \(underlying)"
      advice = ["Check its onClose, which threw \(typeName(type(of: underlying))). The instance has been released."]
    default: break
    }
  }

  /// Arguments were given, or left out, that nothing is registered for.
  private mutating func describeMismatch(
    _ facts: InjectorError.Facts, _ expected: [[String]], _ found: [String], of service: String
  ) {
    let lists = expected.map(\.parenthesized).sorted().joined(separator: " or ")
    if facts.isRemoval {
      headline = "\(facts.request("unregister", label: "type")) was refused: \(service) takes \(lists)."
      add("registered at", facts.registeredAt)
      advice = ["Name the argument types: \(facts.statement("unregister", label: "type", extra: "taking: …"))."]
      return
    }
    let given = "but got \(found.parenthesized)"
    if facts.isOverride {
      headline = "\(facts.request("override", label: "as")) was refused: \(service) takes \(lists), \(given)."
      add("registered at", facts.registeredAt)
      advice = ["Override it with the same argument types in the same order."]
      return
    }
    headline = "\(facts.request("get")) failed: \(service) takes \(lists), \(given)."
    addOrigin(facts)
    advice = ["Pass arguments of these types, in this order: \(facts.statement("get", extra: "with: …"))."]
    if expected.joined().contains(where: { $0.hasPrefix("any ") || $0.hasPrefix("Optional<") }) {
      advice.append("Arguments match by their static types. Cast where they differ: value as any P, value as P?.")
    }
    advice.append("Or register it \(found.isEmpty ? "without arguments" : "for \(found.parenthesized)") too.")
  }

  private mutating func describeAbsence(_ facts: InjectorError.Facts) {
    addChain(facts)
    describeHistory(facts)
    advice += facts.absenceAdvice
  }

  /// A test has named a candidate that is not there, or is not isolated.
  private mutating func describeVerdict(_ error: InjectorError, of candidate: String, at point: String) {
    add("candidate", candidate)
    add("point", point)
    add("injector", error.facts.injector ?? "(unnamed)")
    if case .notIsolated = error { return describeIsolation("The choice of \"\(candidate)\" at \"\(point)\"") }
    headline = "\"\(candidate)\" at \"\(point)\" cannot be forced or disabled: there is no such candidate."
    describeHistory(error.facts)
    advice = ["Pass a candidate's id, and the id of a point around it or the name of its service: explain prints them."]
  }

  private mutating func describeIsolation(_ what: String) {
    headline = "\(what) was refused: this code does not run in an isolated test."
    advice = ["Isolate the test: @Test(.isolated), or withIsolatedInjectors { … } around it."]
  }

  private mutating func describeHistory(_ facts: InjectorError.Facts) {
    if let previous = facts.previousRegistration {
      if previous.ownerWasReleased {
        add("history", "was registered at \(previous.registeredAt) and unregistered when its owner was released")
        advice.append("Keep the owner alive: @Registered unregisters when the value that holds it is released.")
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
    if !facts.isAboutInjector { add("chain", facts.chain.abbreviated.joined(separator: " → ")) }
    add("asked at", facts.requestedAt)
  }

  /// The same, and where the service is registered.
  private mutating func addOrigin(_ facts: InjectorError.Facts) {
    addChain(facts)
    add("registered at", facts.registeredAt)
  }

  /// What threw an error, and what it was to do.
  private mutating func addCulprit(_ facts: InjectorError.Facts) -> (act: String, part: String) {
    switch facts.culprit {
    case nil: return ("made", "factory")
    case .configuration(let location):
      add("configured at", location)
      return ("configured", "configure closure")
    case .decorator(let id, let location):
      add("decorated at", location)
      return ("decorated", id == "\(location)" ? "decorator" : "decorator \(id)")
    }
  }

  private mutating func add(_ label: String, _ value: String) {
    lines.append((label, value))
  }

  private mutating func add(_ label: String, _ location: CodeLocation?) {
    if let location { add(label, location.description) }
  }
}
