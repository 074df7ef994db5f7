extension ErrorText {
  /// The text of an error, with names in angle brackets as placeholders: facts by their names, values by their numbers,
  /// and functions as a user calls them.
  var template: String {
    let isOfPoint = facts.point != nil
    switch error {
    case .notIsolated:
      return (kind == .candidate ? "The choice of \"<name>\" at \"<point>\"" : "The override of <service>")
        + " was refused: this code does not run in an isolated test.<subject>"
        + "<fix>Isolate the test: @Test(.isolated), or withIsolatedInjectors { … } around it."
    case _ where !facts.values.alternatives.isEmpty:
      return (kind == .candidate ? "\"<name>\" at \"<point>\"" : "\"<point>\"")
        + " was refused: \"<point>\" is a name of <count> services.<alternatives>"
        + "<fix>Name the service with its module: <alternative>."
    case _ where kind == .candidate:
      return "\"<name>\" at \"<point>\" cannot be forced or disabled: there is no such candidate.<history>"
        + "<fix>Pass a candidate's id, and the id of a point around it or the name of its service: explain prints them."
    case .notRegistered where facts[.isRemoval]:
      return "<unregister> was refused: nothing is registered for <service>.<history>"
        + "<fix>Check isRegistered(type:) before you unregister it."
    case .notRegistered where facts[.isOverride]:
      return "<override> was refused: nothing is registered for <service>.<history>"
        + "<fix>If a provider makes it, override the provider by its key path: try <receiver>override(\\.…) { … }."
        + "<or>register it before you override it."
    case .notRegistered where facts[.isDecoration]:
      if facts.values.place != nil {
        return "<decorate> was refused: <service> is a point of a parent.<registered>"
          + "<fix>Decorate it where it is registered, in <place>."
      }
      if facts.registeredAt != nil {
        return "<decorate> was refused: each scope registers its own <service>.<declared>"
          + "<fix>Decorate it in a scope that has registered it."
      }
      let element = facts.key?.derivation.map { codeName($0.element.type) }
      return "<decorate> was refused: nothing is registered for <service>.<history><fix>"
        + (element.map { "Decorate \($0).self, from which requests make it.<or>register it first." }
          ?? "Register it first, in this scope or in a parent.")
    case .notRegistered where facts[.isPlaceholder]:
      return "<get> failed: each scope registers its own <service>, and this one has not.<declaration>"
        + "<fix>Register it when you open the scope: "
        + "try makeScope { try $0.<register injectable: .singleton(…)> }."
    case .notRegistered:
      let (previous, isNamed) = (facts.values.previousRegistration, facts.values.path.expression != nil)
      let isFeature = kind == .featureAsService
      let isOfMany = facts.service.hasPrefix("Array<") || facts.service.hasPrefix("Dictionary<String, ")
      return "<get> failed: nothing is registered for <service>.<absence><fix>"
        + (previous?.ownerWasReleased == true
          ? "Keep the owner alive: @Registered unregisters when the value that holds it is released.\n  - " : "")
        + (isFeature
          ? "Ask for it as a feature: <injector>[<type>]."
            + "<or>register it, to get it by its type: try <injector>.register { $0[<type>] }."
          : "Register it before you ask for it: <try register injectable: …>.")
        + (!isFeature && facts[.isMadeForItsName] && previous == nil && isNamed
          ? "<or>run the code that sets up <injector> first: a static let does so when it is first used." : "")
        + (isOfMany ? "<or>register its elements: the collection then contains all that apply." : "")
        + (facts.nearest == nil ? "" : "<or>ask for <nearest>, if you meant that.")
    case .alreadyRegistered where isOfPoint:
      return "add to the point \"<point>\" was refused: it already contains <service>.<declared>"
        + "<fix>Give the new candidate its own id, or remove the existing one first."
    case .alreadyRegistered:
      let isCandidate = kind != .service || facts.candidate != nil
      return "<register> was refused: <service> is already registered.<registered>"
        + "<fix>Remove one of the two registrations, or give one of them a tag: tag: \"…\"."
        + (isCandidate
          ? ""
          : "<or>make one of them a candidate that a rule selects: <try register injectable: …, when: …>."
            + "<or>keep both, for getAll, and register each so: <try contribute injectable: …>.")
        + "<or>unregister the first, or create the injector with allowRewrite: true."
    case .instanceExists:
      return "<decorate> was refused: <service> has been requested before.<origin>"
        + "<fix>Decorate it before the first request, here and in scopes."
    case .contextMismatch:
      return "<service> is chosen by a context of type <0>, not <1>.<origin>"
        + "<fix>Pass a <0>, or use pullback to apply its rules to a larger context."
        + "<or>register the candidates for <1> under their own tag."
    case .argumentsMismatch where facts[.isRemoval]:
      return "<unregister> was refused: <service> takes <0>.<registered>"
        + "<fix>Name the argument types: <try unregister taking: …>."
    case .argumentsMismatch where facts[.isOverride]:
      return "<override> was refused: <service> takes <0>, but got <1>.<registered>"
        + "<fix>Override it with the same argument types in the same order."
    case .argumentsMismatch(_, let expected, let found):
      let mayDiffer = expected.joined().contains { $0.hasPrefix("any ") || $0.hasPrefix("Optional<") }
      return "<get> failed: <service> takes <0>, but got <1>.<origin>"
        + "<fix>Pass arguments of these types, in this order: <try get with: …>."
        + (mayDiffer
          ? "\n  - Arguments match by their static types. Cast where they differ: value as any P, value as P?."
          : "")
        + (found.isEmpty ? "<or>register it without arguments too." : "<or>register it for <1> too.")
    case .noCandidate where isOfPoint:
      return "get(in:) of the point \"<point>\" failed: no candidate applies.<declaration><0>"
        + "<fix>Add a candidate without a rule as the fallback, or use first(in:), which returns nil."
    case .noCandidate:
      return "<get> failed: no candidate for <service> applies.<origin><0>"
        + "<fix>Register a candidate without a rule as the fallback: <try register injectable: …>."
    case .contextMissing:
      return "<get> failed: its candidates need a <0>, and none was passed or registered.<origin>"
        + "<fix>Pass one: <try get in: …>, or register <0> in the injector."
    case .circularDependency where kind == .module:
      return "install(<name>.self) was refused: it requires itself: <0>.<asked>"
        + "<fix>Move the shared dependencies into a module that both require."
    case .circularDependency:
      return "<service> depends on itself: <0>.<origin>"
        + (kind == .property
          ? "<fix>Give it a default value that does not read it."
          : facts[.isClosing]
            ? "<fix>Get what onClose needs before you close the injector, and keep it."
              + "<or>close the injector with closeNow(), which does not wait."
            : "<fix>Let one that is not a factory get the other in a configure closure, which runs once both exist."
              + "<or>move the shared dependencies into a third service.")
    case .depthExceeded where isOfPoint:
      return "The point \"<point>\" is nested too deeply: <0> points, one inside another.<declared>"
        + "<fix>Nest at most <1> points. A point can hold any number of candidates and points side by side."
    case .depthExceeded where facts[.ofScopes]:
      return "<service> cannot be resolved or registered: its scope is nested too deeply, inside <0> injectors.<origin>"
        + "<fix>Find the service that opens a scope and requests itself there. Let it use its own scope."
        + "<or>open the scopes side by side, from the injector where the work starts, and close each one."
    case .depthExceeded where facts[.ofRounds]:
      return "The chain to <service> is too deep: after <0> dependencies it seems to have no end.<origin>"
        + "<fix>Find the service that opens a scope and requests itself there. Let it use its own scope."
        + "<or>get a singleton in the middle of the chain first, so that the rest of the chain starts there."
    case .depthExceeded where facts[.isReplaced]:
      return "<get> failed: <service> was replaced or reset during each of <0> attempts to make it.<origin>"
        + "<fix>Do not register, unregister or reset a service in its own factory."
        + "<or>do it less often where other threads request the service."
    case .depthExceeded where facts[.ofAttempts]:
      return "<service> cannot be loaded: each of <0> attempts needs another instance of it.<origin>"
        + "<fix>Open its scope before the load: a factory that opens one opens another one in each attempt."
        + "<or>load it in the factory, which then has to be asynchronous."
    case .depthExceeded:
      return "The chain to <service> is too deep: <0> dependencies would overflow the stack.<origin>"
        + "<fix>Get a singleton in the middle of the chain first, so that the rest of the chain starts there."
        + "<or>run the first get on a thread with a larger stack."
    case .constructionFailed where kind == .module:
      return "install(<name>.self) failed: <0><asked>"
        + "<fix>Check register(in:) of <name>. The next install tries again."
    case .constructionFailed:
      return "<service> could not be <act>: <0><origin><culprit>"
        + "<fix>Check the <part>, which threw <1>. The next get tries again."
    case .mainActorRequired:
      let isOnce = facts[.isMadeOnce]
      return "<get> failed: <service> is made on the main actor, and this call ran elsewhere.<origin><fix>"
        + (isOnce ? "Get it once on the main actor, for example at launch. After that, any thread can get it." : "")
        + (kind == .standalone
          ? (isOnce ? "<or>get" : "Get") + " it in a @MainActor function."
          : (isOnce ? "<or>hop" : "Hop") + " to the main actor: try await MainActor.run { try <whole get> }.")
    case .notLoaded:
      return "<get> failed: <service> is made asynchronously and has not been loaded yet.<origin>"
        + "<fix>Load it: try await <whole load>."
        + "<or>start the injector before you use it: try await <receiver>start()."
    case .cancelled:
      return
        (facts[.isAboutInjector]
        ? "The start of the injector was cancelled.<origin><fix>Start"
        : "<load> was cancelled before <service> was made.<origin><fix>Load")
        + " it from a task that lives long enough. If you meant to cancel the task, there is nothing to fix."
    case .timedOut:
      return "<service> took longer than <0> and was cancelled.<origin><fix>Check what it waits for."
        + "<or>give it more time: timeout(loading:closing:) on its injection, or the timeout: of start or close."
    case .closingFailed:
      return "<service> could not be closed: <0><origin>"
        + "<fix>Check its onClose, which threw <1>. The instance has been released."
    case .actorUnsupported:
      return "<refused> was refused: a closure of its injection is isolated to <0>."
        + (isOfPoint
          ? "<declared><fix>Register the point in an injector, where lazySingleton and scoped instances can be loaded."
          : "<subject><fix>Use lazySingleton or scoped, whose instances can be loaded asynchronously.")
        + "<or>make the closure nonisolated or @MainActor: get is synchronous and cannot call another actor."
    case .sealed:
      return "The registrations of <service> cannot change: the injector is sealed.<registered>"
        + "<fix>Register and unregister before seal(), or use an injector that is not sealed."
    case .closed:
      return (facts[.isAboutInjector] ? "Nothing can" : "<service> cannot") + " be resolved or registered: "
        + (facts.values.place == nil ? "the injector" : "its parent, <place>,") + " is closed.<chain>"
        + "<fix>Get the services that you need before you close the injector, and keep no object that asks it later."
        + "<or>open another scope: makeScope(\"…\")."
    case .currentMissing:
      return "<get> failed: this task has no current injector.<chain>"
        + "<fix>Run it in one: scope.run { … }, or withScope { … }."
        + "\n  - Child tasks and Task { } inherit the current injector. "
        + "Task.detached, a thread and a callback do not."
    case .scopeRequired:
      return "<get> failed: <service> has one instance per scope"
        + (facts.values.place == nil
          ? ", and this injector is not one.<origin>" : " \"<place>\", and no such scope is open here.<origin>")
        + "<fix>Get it from a scope: try <get in a scope>."
    case .captiveDependency:
      return "<service> would be captured by a longer-lived service: <0>.<origin>"
        + (facts[.isOfLazy]
          ? "<fix>Write scope.lazy { … } instead of a value that belongs to the program. It belongs to the scope."
          : "<fix>Make the longer-lived service scoped too."
            + "<or>pass it a scope, from which it gets the service when it needs it.")
    case .lifetimeUnsupported:
      switch facts.values.refusal {
      case .valueType:
        return "<service> cannot be a <0>: <1> is not a class, and only objects can be held weakly.<origin>"
          + "<fix>Use lazySingleton, or make it a class."
      case .cannotBeClosed:
        return "<refused> was refused: onClose would never run, as no injector keeps <0> instances.<origin>"
          + "<fix>Use scoped or lazySingleton with onClose, or close the instance where you use it."
      case .cannotBeEager:
        return "<refused> was refused: eager() has no effect, as no injector keeps <0> instances.<subject>"
          + "<fix>Use scoped or lazySingleton with eager(), or remove eager()."
      case .cannotBeIsolated, nil:
        return "<service> cannot be configured in an isolated test: the program and all tests share one object.<origin>"
          + "<fix>Override it in the test: try injector.<override injectable: .singleton(…)>."
          + "<or>let each test make one: .lazySingleton { … }.configure { … }, not .singleton(…).configure { … }."
      }
    case .invalid: return "<0>"
    }
  }
}
