extension InjectorError: CustomStringConvertible {
  /// The headline, the facts and a fix, in several lines.
  public var description: String { ErrorText(self).description }
}

/// The text of an `InjectorError`: a headline, a line for each fact, and fixes.
///
/// It is a class because a value would be copied for each of its parts.
final class ErrorText: CustomStringConvertible {
  let facts: InjectorError.Facts
  /// They are searched for once, if the text mentions them.
  private(set) lazy var findings = facts.findings
  private var text = ""
  private var fixes: [String] = []

  init(_ error: InjectorError) {
    facts = error.facts
    describe(error)
  }

  var description: String { fixes.isEmpty ? text : "\(text)\nTo fix this:\n  - " + fixes.joined(separator: "\n  - ") }

  /// The first line, which names the failure.
  var headline: String { String(text.prefix { $0 != "\n" }) }

  /// Sets the headline and the lines of facts.
  @inline(never) private func say(_ headline: String, _ lines: String) { text = headline + lines }

  /// Adds a fix.
  @inline(never) private func fix(_ action: String) { fixes.append(action) }

  /// Adds a fix that depends on a fact.
  private func fix(_ action: String, if isOffered: Bool) { if isOffered { fix(action) } }

  /// The words of each error.
  private func describe(_ error: InjectorError) {
    switch error {
    case .notRegistered where !facts.values.alternatives.isEmpty:
      let (what, count) = (kind == .candidate ? choice : "\"\(point)\"", facts.values.alternatives.count)
      say("\(what) was refused: \"\(point)\" is a name of \(count) services.", alternatives)
      fix("Name the service with its module: \(quoted(facts.values.alternatives[0].name)).")
    case .notRegistered where kind == .candidate:
      say("\(choice) cannot be forced or disabled: there is no such candidate.", subject + nearest)
      fix("Pass a candidate's id, and the id of a point around it or the name of its service: explain prints them.")
    case .notRegistered where facts[.isRemoval] || facts[.isReset]:
      let function = facts[.isReset] ? "reset" : "unregister"
      say("\(request(function)) was refused: nothing is registered for \(service).", subject + nearest)
      let check = "Check isRegistered(_:) before you \(function) it."
      fix(facts.candidate == nil ? check : "Pass the id of one of its candidates: explain prints them.")
    case .notRegistered where facts[.isOverride]:
      say("\(request("override")) was refused: nothing is registered for \(service).", subject + nearest)
      fix("If a provider makes it, override the provider by its key path: try \(receiver)override(\\.…) { … }.")
      fix("Or register it before you override it.")
    case .notRegistered where facts[.isDecoration] && facts.values.otherInjector != nil:
      say("\(request("decorate")) was refused: \(service) is a point of a parent.", subject + registered)
      fix("Decorate it where it is registered, in \(facts.values.otherInjector ?? "").")
    case .notRegistered where facts[.isDecoration] && facts.registeredAt != nil:
      say("\(request("decorate")) was refused: each scope registers its own \(service).", subject + declared)
      fix("Decorate it in a scope that has registered it.")
    case .notRegistered where facts[.isDecoration]:
      say("\(request("decorate")) was refused: nothing is registered for \(service).", subject + nearest)
      let (element, remedy) = ((facts.key?.derivation?.element.type).map(codeName), findings?.remedy)
      if let remedy { fix("\(remedy).") }
      if let element { fix("Decorate \(element).self, from which requests make it.") }
      fix(element ?? remedy != nil ? "Or register it first." : "Register it first, in this scope or in a parent.")
    case .notRegistered where facts[.isPlaceholder]:
      say("\(get) failed: each scope registers its own \(service), and this one has not.", declaration)
      let registering = request("register", ".singleton(…)")
      fix("Register it when you open the scope: try makeScope { try $0.\(registering) }.")
    case .notRegistered where facts.candidate != nil:
      say("\(pick) failed: there is no such candidate.", subject + chain + nearest)
      fix("Pass the id of one of its candidates: candidates(of:) and explain list them.")
    case .notRegistered:
      let missing = findings?.missingName.map { "No injector named \($0) exists yet. " } ?? ""
      say("\(missing)\(get) failed: nothing is registered for \(service).", subject + chain + nearest)
      if kind == .featureAsService {
        let (injector, request) = (facts.values.path.expression ?? "self", "[\(typeExpression)]")
        fix("Ask for it as a feature: \(injector)\(request).")
        fix("Or register it, to get it by its type: try \(injector).register { $0\(request) }.")
      } else {
        let remedy = findings?.remedy
        if let remedy { fix("\(remedy).") }
        let act = remedy == nil ? "Register" : "Or register"
        fix("\(act) it before you ask for it: \(attempt("register", "…")).", if: missing.isEmpty)
      }
      let isWired = facts[.isWired] && !typeExpression.hasPrefix("(any")
      fix("For a default argument, call the initializer in a closure: wiring: uses none.", if: isWired)
      let isOfMany = name.hasPrefix("Array<") || name.hasPrefix("Dictionary<String, ")
      fix("Or register its elements: the collection then contains all that apply.", if: isOfMany)
      if let nearest = findings?.suggestion?.name { fix("Or ask for \(nearest), if you meant that.") }
    case .alreadyRegistered where isOfPoint:
      say("add to the point \"\(point)\" was refused: it already contains \(service).", subject + declared)
      fix("Give the new candidate its own id, or remove the existing one first.")
    case .alreadyRegistered where facts.candidate != nil:
      say("\(refused): \(service) is already registered.", subject + registered + refusedAt)
      fix("Give one of the two its own id: id: \"…\". Or remove one of them.")
    case .alreadyRegistered:
      say("\(request("register")) was refused: \(service) is already registered.", subject + registered + refusedAt)
      fix("Remove one of the two registrations, or give one of them a tag: tag: \"…\".")
      let isService = kind == .service
      let choice = attempt("contribute", "…, when: …")
      fix("Or make one of them a candidate that a rule selects: \(choice).", if: isService)
      fix("Or keep both, for getAll, and register each so: \(attempt("contribute", "…")).", if: isService)
      fix("Or unregister the first, or create the injector with allowRewrite: true.")
    case .instanceExists:
      say("\(request("decorate")) was refused: \(service) has been requested before.", origin)
      fix("Decorate it before the first request, here and in scopes.")
    case .contextMismatch(_, let expected, let found):
      say("\(service) is chosen by a context of type \(expected), not \(found).", origin)
      fix("Pass a \(expected), or use pullback to apply its rules to a larger context.")
      fix("Or register the candidates for \(found) under their own tag.")
    case .argumentsMismatch(_, let expected, _) where facts[.isRemoval]:
      say("\(request("unregister")) was refused: \(service) takes \(list(expected)).", subject + registered)
      fix("Name the argument types: \(attempt("unregister", "taking: …")).")
    case .argumentsMismatch(_, let expected, let found) where facts[.isOverride]:
      let fault = "\(service) takes \(list(expected)), but got \(found.parenthesized)."
      say("\(request("override")) was refused: \(fault)", subject + registered)
      fix("Override it with the same argument types in the same order.")
    case .argumentsMismatch(_, let expected, let found):
      let types = found.parenthesized
      say("\(get) failed: \(service) takes \(list(expected)), but got \(types).", origin)
      fix("Pass arguments of these types, in this order: \(attempt("get", "with: …")).")
      let mayDiffer = expected.contains { $0.contains { $0.hasPrefix("any ") || $0.hasPrefix("Optional<") } }
      fix("Arguments match by their static types. Cast where they differ: value as any P, value as P?.", if: mayDiffer)
      fix("Or register it \(found.isEmpty ? "without arguments" : "for \(types)") too.")
    case .noCandidate(_, let explanation) where facts.candidate != nil:
      say("\(pick) failed: this candidate does not apply.", subject + chain + tree(explanation))
      fix("Offer only the candidates that apply: candidates(of:in:) tells which do.")
    case .noCandidate(_, let explanation) where isOfPoint:
      say("get(in:) of the point \"\(point)\" failed: no candidate applies.", declaration + tree(explanation))
      fix("Add a candidate without a rule as the fallback, or use first(in:), which returns nil.")
    case .noCandidate(_, let explanation):
      say("\(get) failed: no candidate for \(service) applies.", origin + tree(explanation))
      fix("Register a candidate without a rule as the fallback: \(attempt("register", "…")).")
    case .contextMissing(_, let context):
      say("\(get) failed: its candidates need a \(context), and none was passed or registered.", origin)
      fix("Pass one: \(attempt("get", "in: …")), or register \(context) in the injector.")
    case .circularDependency(_, let path) where kind == .module:
      say("install(\(name).self) was refused: it requires itself: \(path.joined(separator: " → ")).", subject + asked)
      fix("Move the shared dependencies into a module that both require.")
    case .circularDependency(_, let path):
      say("\(service) depends on itself: \(path.joined(separator: " → ")).", origin)
      if kind == .property {
        fix("Give it a default value that does not read it.")
      } else if facts[.isClosing] {
        fix("Get what onClose needs before you close the injector, and keep it.")
        fix("Or close the injector with closeNow(), which does not wait.")
      } else {
        fix("Get one of them in a configure closure of the other, which must be a singleton or scoped.")
        fix("Or move the shared dependencies into a third service.")
      }
    case .depthExceeded(_, let depth) where isOfPoint:
      say("The point \"\(point)\" is nested too deeply: \(depth) points, one inside another.", subject + declared)
      fix("Nest at most \(depth - 1) points. A point can hold any number of candidates and points side by side.")
    case .depthExceeded(_, let depth) where facts[.ofScopes]:
      let fault = "its scope is nested too deeply, inside \(depth) injectors."
      say("\(service) cannot be resolved or registered: \(fault)", origin)
      fix("Find the service that opens a scope and requests itself there. Let it use its own scope.")
      fix("Or open the scopes side by side, from the injector where the work starts, and close each one.")
    case .depthExceeded(_, let depth) where facts[.ofRounds]:
      say("The chain to \(service) seems to have no end: it repeats a service after \(depth) dependencies.", origin)
      fix("Find the service that opens a scope and requests itself there. Let it use its own scope.")
    case .depthExceeded(_, let depth) where facts[.isReplaced]:
      say("\(get) failed: \(service) was replaced or reset during each of \(depth) attempts to make it.", origin)
      fix("Do not register, unregister or reset a service in its own factory.")
      fix("Or do it less often where other threads request the service.")
    case .depthExceeded(_, let depth) where facts[.ofAttempts]:
      say("\(service) cannot be loaded: each of \(depth) attempts needs another instance of it.", origin)
      fix("Open its scope before the load: a factory that opens one opens another one in each attempt.")
      fix("Or load it in the factory, which then has to be asynchronous.")
    case .depthExceeded(_, let depth):
      say("The chain to \(service) is too deep: \(depth) dependencies would overflow the stack.", origin)
      let isOfItself = kind == .arguments && facts.chain.suffix(depth / 2).dropLast().contains(service)
      let shortcut = "Get a singleton in the middle of the chain first, so that the rest of the chain starts there."
      fix(isOfItself ? "Let \(service) request itself with arguments that lead to an end." : shortcut)
      fix("Or run the first get on a thread with a larger stack.")
    case .constructionFailed(_, let underlying) where kind == .module:
      say("install(\(name).self) failed: \(underlying)", subject + asked)
      fix("Check register(in:) of \(name). The next install tries again.")
    case .constructionFailed(_, let underlying):
      let (act, part, location) = culprit
      say("\(service) could not be \(act): \(underlying)", origin + line("\(act) at", location?.description))
      fix("Check the \(part), which threw \(typeName(type(of: underlying))). The next get tries again.")
    case .mainActorRequired:
      say("\(get) failed: \(service) is made on the main actor, and this call ran elsewhere.", origin)
      let isOnce = facts[.isMadeOnce]
      fix("Get it once on the main actor, for example at launch. After that, any thread can get it.", if: isOnce)
      fix("\(isOnce ? "Or get" : "Get") it in a @MainActor function.", if: kind == .standalone)
      let hop = "hop to the main actor: try await MainActor.run { try \(whole("get")) }."
      let load = facts.arguments == nil ? whole("load") : ""
      let way = load.contains("load(") ? "load it from any actor: try await \(load)." : hop
      fix(isOnce ? "Or \(way)" : "\(way.prefix(1).uppercased())\(way.dropFirst())", if: kind != .standalone)
    case .notLoaded:
      say("\(get) failed: \(service) is made asynchronously and has not been loaded yet.", origin)
      fix("Load it: try await \(whole("load")).")
      fix("Or start the injector before you use it: try await \(receiver)start().")
    case .cancelled:
      let isStart = facts[.isAboutInjector]
      let (what, act) = isStart ? ("The start of the injector", "Start") : (request("load"), "Load")
      say("\(what) was cancelled\(isStart ? "" : " before \(service) was made").", origin)
      fix("\(act) it from a task that lives long enough. If you meant to cancel the task, there is nothing to fix.")
    case .timedOut(_, let limit):
      say("\(service) took longer than \(limit) and was cancelled.", origin)
      fix("Check what it waits for.")
      fix("Or give it more time: timeout(loading:closing:) on its injection, or the timeout: of start or close.")
    case .closingFailed(_, let underlying) where facts[.isAboutInjector]:
      say("The injector was closed too early: \(underlying).", subject)
      fix("Close its scopes first: code that opens a scope closes it, as withScope does.")
    case .closingFailed(_, let underlying):
      say("\(service) could not be closed: \(underlying)", origin)
      fix("Check its onClose, which threw \(typeName(type(of: underlying))). The instance has been released.")
    case .actorUnsupported(_, let actor):
      say("\(refused): a closure of its injection is isolated to \(actor).", subject + (isOfPoint ? declared : ""))
      let advice = "Register the point in an injector, where lazySingleton and scoped instances can be loaded."
      fix(isOfPoint ? advice : "Use lazySingleton or scoped, whose instances can be loaded asynchronously.")
      fix("Or make the closure nonisolated or @MainActor: get is synchronous and cannot call another actor.")
    case .sealed:
      say("The registrations of \(service) cannot change: the injector is sealed.", subject + registered)
      fix("Change them before seal(), or use an injector that is not sealed.")
    case .closed:
      let what = facts[.isAboutInjector] ? "Nothing can" : "\(service) cannot"
      let closed = facts.values.otherInjector.map { "its parent, \($0)," } ?? "the injector"
      say("\(what) be resolved or registered: \(closed) is closed.", subject + chain)
      fix("Get the services that you need before you close the injector, and keep no object that asks it later.")
      let isOfRoot = facts[.isOfRoot]
      fix(isOfRoot ? "Or create another injector: this one stays closed." : "Or open another scope: makeScope(\"…\").")
    case .currentMissing:
      say("\(get) failed: this task has no current injector.", subject + chain)
      fix("Run it in one: scope.run { … }, or withScope { … }.")
      fix("Child tasks and Task { } inherit the current injector. Task.detached, a thread and a callback do not.")
    case .scopeRequired:
      let scope = facts.values.otherInjector
      let fault = scope.map { " \"\($0)\", and no such scope is open here." } ?? ", and this injector is not one."
      say("\(get) failed: \(service) has one instance per scope\(fault)", origin)
      fix("Get it from a scope: try \(whole("get", in: "makeScope(\"\(scope ?? "…")\")")).")
    case .captiveDependency(_, let path):
      say("\(service) would be captured by a longer-lived service: \(path.joined(separator: " → ")).", origin)
      if facts[.isOfLazy] {
        fix("Write scope.lazy { … } instead of a value that belongs to the program. It belongs to the scope.")
      } else {
        fix("Make the longer-lived service scoped too.")
        fix("Or pass it a scope, from which it gets the service when it needs it.")
      }
    case .lifetimeUnsupported(_, let lifetime):
      switch facts.values.refusal {
      case .valueType(let type):
        say("\(service) cannot be a \(lifetime): \(type) is not a class, and only objects can be held weakly.", origin)
        fix("Use lazySingleton, or make it a class.")
      case .isNotKept:
        say("\(refused): onClose and eager() have no effect, as no injector keeps \(lifetime) instances.", origin)
        fix("Use scoped or lazySingleton with them, or remove them, and close the instance where you use it.")
      case .cannotBeIsolated, nil:
        say("\(service) cannot be configured in an isolated test: the program and all tests share one object.", origin)
        fix("Override it in the test: try injector.\(request("override", ".singleton(…)")).")
        fix("Or let each test make one: .lazySingleton { … }.configure { … }, not .singleton(…).configure { … }.")
      }
    case .notIsolated:
      let change = kind == .candidate ? "The choice of \(choice)" : "The override of \(service)"
      say("\(change) was refused: this code does not run in an isolated test.", subject)
      fix("Isolate the test: @Test(.isolated), or withIsolatedInjectors { … } around it.")
    case .invalid(_, let report): text = report.description
    }
  }
}
