extension ErrorText {
  /// What an error says. What stands in angle brackets is filled in: the values by their numbers, facts by their names,
  /// and functions as a user calls them.
  struct Message {
    /// Which facts are told, as bits.
    enum Facts: UInt8 {
      case none = 0
      case asked = 1
      case chain = 3
      case registered = 4
      case declared = 8
      case history = 16
      /// The chain, and where it is registered.
      case origin = 7
      /// The chain, and where it is declared.
      case declaration = 11
      /// The chain, and what was registered before.
      case absence = 19

      func contains(_ facts: Self) -> Bool { rawValue & facts.rawValue == facts.rawValue }
    }

    var headline: String
    var facts: Facts
    var advice: [String]
    var values: [String] = []
    var details: String?

    private init(_ headline: String, _ facts: Facts, _ advice: String..., of values: String...) {
      (self.headline, self.facts, self.advice, self.values) = (headline, facts, advice, values)
    }
  }
}

extension ErrorText.Message {
  init(_ error: InjectorError, _ kind: InjectorError.Facts.Kind) {
    let facts = error.facts
    let isOfPoint = facts.point != nil
    if kind == .candidate {
      self.init(
        "\"<candidate>\" at \"<point>\" cannot be forced or disabled: there is no such candidate.", .history,
        "Pass a candidate's id, and the id of a point around it or the name of its service: explain prints them.")
      if case .notIsolated = error { self = .notIsolated("The choice of \"<candidate>\" at \"<point>\"") }
      return
    }
    switch error {
    case .notRegistered: self = .absent(facts, kind)
    case .alreadyRegistered where isOfPoint:
      self.init(
        "add to the point \"<point>\" was refused: it already contains <service>.", .declared,
        "Give the new candidate its own id, or remove the existing one first.")
    case .alreadyRegistered:
      self.init(
        "<register> was refused: <service> is already registered.", .registered,
        "Remove one of the two registrations, or give one of them a tag: tag: \"…\".")
      if kind == .service, facts.candidate == nil {
        advice.append(
          "Or make one of them a candidate that a rule selects: <try register injectable: …, when: …>.")
        advice.append("Or keep both, for getAll, and register each so: <try contribute injectable: …>.")
      }
      advice.append("Or unregister the first, or create the injector with allowRewrite: true.")
    case .instanceExists:
      self.init(
        "<decorate> was refused: an instance of <service> is already in use.", .origin,
        "Decorate it before anything gets it. It does not have to be registered yet.")
    case .contextMismatch(_, let expected, let found):
      self.init(
        "<service> is chosen by a context of type <0>, not <1>.", .origin,
        "Pass a <0>, or use pullback to apply its rules to a larger context.",
        "Or register the candidates for <1> under their own tag.", of: expected, found)
    case .argumentsMismatch(_, let expected, let found): self = .mismatch(facts, expected, found)
    case .noCandidate(_, let explanation):
      self.init(
        isOfPoint
          ? "get(in:) of the point \"<point>\" failed: no candidate applies."
          : "<get> failed: no candidate for <service> applies.",
        isOfPoint ? .declaration : .origin,
        isOfPoint
          ? "Add a candidate without a rule as the fallback, or use first(in:), which returns nil."
          : "Register a candidate without a rule as the fallback: <try register injectable: …>.")
      details = explanation.description
    case .contextMissing(_, let context):
      self.init(
        "<get> failed: its candidates need a <0>, and none was passed or registered.", .origin,
        "Pass one: <try get in: …>, or register <0> in the injector.", of: context)
    case .circularDependency(_, let path) where kind == .module:
      self.init(
        "install(<module>.self) was refused: it requires itself: <0>.", .asked,
        "Move what both need into a module that both require.", of: path.joined(separator: " → "))
    case .circularDependency(_, let path):
      self.init("<service> depends on itself: <0>.", .origin, of: path.joined(separator: " → "))
      advice = Self.adviceForCircle(isProperty: kind == .property, isClosing: facts[.isClosing])
    case .depthExceeded(_, let depth) where isOfPoint:
      self.init(
        "The point \"<point>\" is nested too deeply: <0> points, one inside another.", .declared,
        "Nest at most <1> points. A point can hold any number of candidates and points side by side.",
        of: "\(depth)", "\(depth - 1)")
    case .depthExceeded(_, let depth): self = .tooDeep(facts, depth)
    case .constructionFailed(_, let underlying) where kind == .module:
      self.init(
        "install(<module>.self) failed: <0>", .asked,
        "Check register(in:) of <module>. The next install tries again.", of: "\(underlying)")
    case .constructionFailed(_, let underlying):
      self.init(
        "<service> could not be made: <0>", .origin,
        "Check the factory, which threw <1>. The next get tries again.",
        of: "\(underlying)", typeName(type(of: underlying)))
    case .mainActorRequired:
      self.init("<get> failed: <service> is made on the main actor, and this call ran elsewhere.", .origin)
      let (isOnce, isStandalone) = (facts[.isMadeOnce], kind == .standalone)
      if isOnce {
        advice = ["Get it once on the main actor, for example at launch. After that, any thread can get it."]
      }
      let verb = isStandalone ? isOnce ? "Or get" : "Get" : isOnce ? "Or hop" : "Hop"
      let place =
        isStandalone
        ? " it in a @MainActor function." : " to the main actor: try await MainActor.run { try <whole get> }."
      advice.append(verb + place)
    case .notLoaded:
      self.init(
        "<get> failed: <service> is made asynchronously and has not been loaded yet.", .origin,
        "Load it: try await <whole load>.",
        "Or start the injector before you use it: try await <receiver>start().")
    case .cancelled:
      let isStart = facts[.isAboutInjector]
      self.init(
        isStart
          ? "The start of the injector was cancelled." : "<load> was cancelled before <service> was made.",
        .origin,
        "<0> it from a task that lives long enough. If you meant to cancel the task, there is nothing to fix.",
        of: isStart ? "Start" : "Load")
    case .timedOut(_, let limit):
      self.init(
        "<service> took longer than <0> and was cancelled.", .origin, "Check what it waits for.",
        "Or give it more time: timeout(loading:closing:) on its injection, or the timeout: of start or close.",
        of: "\(limit)")
    case .closingFailed(_, let underlying):
      self.init(
        "<service> could not be closed: <0>", .origin,
        "Check its onClose, which threw <1>. The instance has been released.",
        of: "\(underlying)", typeName(type(of: underlying)))
    case .actorUnsupported(_, let actor):
      self.init(
        "<refused> was refused: a closure of its injection is isolated to <0>.", isOfPoint ? .declared : .none,
        isOfPoint
          ? "Register the point in an injector, where lazySingleton and scoped instances can be loaded."
          : "Use lazySingleton or scoped, whose instances can be loaded asynchronously.",
        "Or make the closure nonisolated or @MainActor: get is synchronous and cannot call another actor.", of: actor)
    case .sealed:
      self.init(
        "The registrations of <service> cannot change: the injector is sealed.", .registered,
        "Register and unregister before seal(), or use an injector that is not sealed.")
    case .closed: self = .closed(facts)
    case .currentMissing:
      self.init(
        "<get> failed: this code runs in no current injector.", .chain,
        "Run it in one: scope.run { … }, or withScope { … }.",
        "Child tasks and Task { } inherit the current injector. Task.detached, a thread and a callback do not.")
    case .scopeRequired:
      let scope = facts.values.place
      self.init(
        scope == nil
          ? "<get> failed: <service> has one instance per scope, and this injector is not one."
          : "<get> failed: <service> has one instance per scope \"<0>\", and no such scope is open here.",
        .origin, "Get it from a scope: try <get in a scope>.", of: scope ?? "")
    case .captiveDependency(_, let path):
      self.init(
        "<service> would be captured by a longer-lived service: <0>.", .origin,
        "Make the longer-lived service scoped too.",
        "Or pass it a scope, and let it get the service from there when it needs it.",
        of: path.joined(separator: " → "))
    case .lifetimeUnsupported(_, let lifetime, let reason): self = .refused(lifetime, reason)
    case .notIsolated, .invalid: self = .notIsolated("The override of <service>")
    }
  }

  private static func absent(_ facts: InjectorError.Facts, _ kind: InjectorError.Facts.Kind) -> Self {
    if facts[.isRemoval] {
      return Self(
        "<unregister> was refused: nothing is registered for <service>.", .history,
        "Check isRegistered(type:) before you unregister it.")
    }
    if facts[.isOverride] {
      return Self(
        "<override> was refused: nothing is registered for <service>.", .history,
        "If a provider makes it, override the provider by its key path: try <receiver>override(\\.…) { … }.",
        "Or register it before you override it.")
    }
    if facts[.isPlaceholder] {
      return Self(
        "<get> failed: each scope registers its own <service>, and this one has not.", .declaration,
        "Register it when you open the scope: try makeScope { try $0.<register injectable: .singleton(…)> }.")
    }
    var message = Self("<get> failed: nothing is registered for <service>.", .absence)
    if facts.previousRegistration?.ownerWasReleased == true {
      message.advice.append(
        "Keep the owner alive: @Registered unregisters when the value that holds it is released.")
    }
    if kind == .featureAsService {
      message.advice.append("Ask for it as a feature: <injector>[<type>].")
      message.advice.append("Or register it, to get it by its type: try <injector>.register { $0[<type>] }.")
    } else {
      message.advice.append("Register it before you ask for it: <try register injectable: …>.")
      if facts[.isUntouched], facts.previousRegistration == nil, facts.path.expression != nil {
        message.advice.append(
          "Or use what sets up <injector> first: a static let does so when it is first used.")
      }
    }
    if facts.service.hasPrefix("Array<") || facts.service.hasPrefix("Dictionary<String, ") {
      message.advice.append("Or register its elements: the collection then contains all that apply.")
    }
    if facts.nearest != nil { message.advice.append("Or ask for <nearest>, if that is what you meant.") }
    return message
  }

  /// Arguments were given, or left out, that nothing is registered for.
  private static func mismatch(_ facts: InjectorError.Facts, _ expected: [[String]], _ found: [String]) -> Self {
    let lists = expected.map(\.parenthesized).sorted().joined(separator: " or ")
    var message: Self
    if facts[.isRemoval] {
      message = Self(
        "<unregister> was refused: <service> takes <0>.", .registered,
        "Name the argument types: <try unregister taking: …>.")
    } else if facts[.isOverride] {
      message = Self(
        "<override> was refused: <service> takes <0>, but got <1>.", .registered,
        "Override it with the same argument types in the same order.")
    } else {
      message = Self(
        "<get> failed: <service> takes <0>, but got <1>.", .origin,
        "Pass arguments of these types, in this order: <try get with: …>.")
      if expected.joined().contains(where: { $0.hasPrefix("any ") || $0.hasPrefix("Optional<") }) {
        message.advice.append(
          "Arguments match by their static types. Cast where they differ: value as any P, value as P?.")
      }
      message.advice.append("Or register it " + (found.isEmpty ? "without arguments too." : "for <1> too."))
    }
    message.values = [lists, found.parenthesized]
    return message
  }

  private static func adviceForCircle(isProperty: Bool, isClosing: Bool) -> [String] {
    if isProperty { return ["Give it a default value that does not read it."] }
    return isClosing
      ? [
        "Get what onClose needs before you close the injector, and keep it.",
        "Or close the injector with closeNow(), which does not wait.",
      ]
      : [
        "Let one that is not a factory get the other in a configure closure, which runs once both exist.",
        "Or move what both need into a third service.",
      ]
  }

  private static func tooDeep(_ facts: InjectorError.Facts, _ depth: Int) -> Self {
    let middle = "a singleton in the middle of the chain first, so that the rest of the chain starts there."
    let look = "Look for a service that opens a scope and needs itself there. Let it use the scope it is in."
    if facts[.ofScopes] {
      return Self(
        "<service> cannot be resolved or registered: its scope is nested too deeply, inside <0> injectors.", .origin,
        look, "Or open the scopes side by side, from the injector where the work starts, and close each one.",
        of: "\(depth)")
    }
    if facts[.ofRounds] {
      return Self(
        "The chain to <service> is too deep: after <0> dependencies it seems to have no end.", .origin,
        look, "Or get " + middle, of: "\(depth)")
    }
    return Self(
      "The chain to <service> is too deep: <0> dependencies would overflow the stack.", .origin,
      "Get " + middle, "Or run the first get on a thread with a larger stack.", of: "\(depth)")
  }

  private static func closed(_ facts: InjectorError.Facts) -> Self {
    if facts[.isOfPreview] {
      return Self(
        "<service> cannot be resolved: the preview is over for which the property was made.", .chain,
        "Return from Injector.preview what no injector keeps: register it there as a factory, or make it by hand.",
        "Or keep what it has returned for as long as anything of it is used.")
    }
    return Self(
      (facts[.isAboutInjector]
        ? "Nothing can be done any more" : "<service> cannot be resolved or registered")
        + (facts.values.place == nil
          ? ": the injector is closed." : ": the injector around it, <0>, is closed."),
      .chain, "Get what you need before you close the injector, and keep nothing that asks it later.",
      "Or open another scope: makeScope(\"…\").", of: facts.values.place ?? "")
  }

  private static func refused(_ lifetime: Lifetime, _ reason: InjectorError.LifetimeRefusal) -> Self {
    switch reason {
    case .valueType(let type):
      Self(
        "<service> cannot be a <0>: <1> is not a class, and only objects can be held weakly.", .origin,
        "Use lazySingleton, or make it a class.", of: "\(lifetime)", type)
    case .cannotBeClosed:
      Self(
        "<refused> was refused: onClose would never run, as no injector keeps <0> instances.", .origin,
        "Use scoped or lazySingleton with onClose, or close the instance where you use it.", of: "\(lifetime)")
    case .cannotBeEager:
      Self(
        "<refused> was refused: eager() has no effect, as no injector keeps <0> instances.", .none,
        "Use scoped or lazySingleton with eager(), or remove eager().", of: "\(lifetime)")
    case .cannotBeIsolated:
      Self(
        "<service> cannot be configured in an isolated test: the program and all tests share one object.", .origin,
        "Override it in the test: try injector.<override injectable: .singleton(…)>.",
        "Or let each test make one: .lazySingleton { … }.configure { … }, not .singleton(…).configure { … }.")
    }
  }

  private static func notIsolated(_ what: String) -> Self {
    Self(
      what + " was refused: this code does not run in an isolated test.", .none,
      "Isolate the test: @Test(.isolated), or withIsolatedInjectors { … } around it.")
  }
}
