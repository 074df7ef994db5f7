/// One operation of a program with injectors. Injectors are numbered: 0 is the root, and the others are scopes.
///
/// Its description is the Swift code that creates it, so that a test can repeat the program of a failure.
package enum Operation: Sendable {
  case open(Int, in: Int, String)
  case register(Plan, in: Int)
  case unregister(Int, candidate: String? = nil, in: Int)
  case decorate(Decorator, in: Int)
  case reset(Int? = nil, in: Int)
  case close(Int)
  case seal(Int)
  /// Changes what closures do from now on.
  case toggle(Switch)
  case request(Need, from: Int)

  package enum Switch: Hashable, Sendable {
    /// The factory, the configuration or the decorators of a service throw.
    case factory(Int), configuration(Int), decorators(Int)
    /// The rule of a candidate is satisfied.
    case gate(Int)
  }
}

/// A registration: a service, its lifetime, and the requests of its closures.
package struct Plan: Sendable {
  package enum Life: Hashable, Sendable {
    case singleton, lazySingleton, weakSingleton, scoped, scopedIn(String), graph, factory, provided
  }

  /// What distinguishes one of several registrations of a service. It applies while its gate is open.
  package struct Candidate: Sendable {
    package let id: String
    package let gate: Int?
    package let priority: Int

    package init(_ id: String, gate: Int? = nil, priority: Int = 0) {
      (self.id, self.gate, self.priority) = (id, gate, priority)
    }
  }

  package let service: Int
  package let life: Life
  /// Whether its factory is asynchronous.
  package var isLoaded: Bool
  /// `nil` for a registration without a rule.
  package var candidate: Candidate?
  package var needs: [Need]
  /// The requests of its configuration; `nil` if it has none.
  package var links: [Need]?

  package init(
    _ service: Int, _ life: Life, isLoaded: Bool = false, candidate: Candidate? = nil, needs: [Need] = [],
    links: [Need]? = nil
  ) {
    (self.service, self.life, self.isLoaded, self.candidate) = (service, life, isLoaded, candidate)
    (self.needs, self.links) = (needs, links)
  }
}

package struct Decorator: Sendable {
  package let service: Int
  package let id: Int
  package var needs: [Need]

  package init(_ service: Int, id: Int, needs: [Need] = []) {
    (self.service, self.id, self.needs) = (service, id, needs)
  }
}

extension Plan {
  var isKept: Bool { life != .graph && life != .factory }
  /// Whether each scope keeps an instance of its own, or each one with a name.
  var isScoped: Bool { isKept && life != .singleton && life != .lazySingleton && life != .weakSingleton }
  /// Whether its instances are closed.
  var isClosable: Bool {
    isKept && life != .weakSingleton && life != .provided && !Services.takesArgument(service)
  }
  /// The rank among the registrations of the service. The one without a rule is the last.
  var priority: Int { candidate?.priority ?? .min }
}

/// A request of a program or of a closure.
package indirect enum Need: Sendable {
  case get(Int, with: Int? = nil)
  case optional(Int)
  case all(Int)
  /// Only operations and asynchronous factories load a service.
  case load(Int)
  /// The request goes to the injector that has received the outermost request.
  case fromOutermost(Need)
  /// The closure catches the error of the request.
  case attempt(Need)
}

/// The services, which have numbers. The last ones are made from an argument.
package enum Services {
  package static let plain = 8
  package static let count = 10

  package static func takesArgument(_ service: Int) -> Bool { service >= plain }
}

extension Operation {
  /// The number of the injector that it changes or asks.
  var place: Int {
    switch self {
    case .open(_, let place, _), .register(_, let place), .decorate(_, let place), .unregister(_, _, let place),
      .reset(_, let place), .close(let place), .seal(let place), .request(_, let place):
      place
    case .toggle: 0
    }
  }
}

extension Operation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .open(let new, let place, let name): ".open(\(new), in: \(place), \"\(name)\")"
    case .register(let plan, let place): ".register(\(plan), in: \(place))"
    case .unregister(let service, let candidate, let place):
      ".unregister(\(service)\(candidate.map { ", candidate: \"\($0)\"" } ?? ""), in: \(place))"
    case .decorate(let decorator, let place): ".decorate(\(decorator), in: \(place))"
    case .reset(let service, let place): ".reset(\(service.map { "\($0), " } ?? "")in: \(place))"
    case .close(let place): ".close(\(place))"
    case .seal(let place): ".seal(\(place))"
    case .toggle(let one): ".toggle(.\(one))"
    case .request(let need, let place): ".request(\(need), from: \(place))"
    }
  }
}

extension Plan: CustomStringConvertible {
  package var description: String {
    let life = if case .scopedIn(let name) = life { "scopedIn(\"\(name)\")" } else { "\(life)" }
    var parts = ["\(service)", ".\(life)"]
    if isLoaded { parts.append("isLoaded: true") }
    if let candidate { parts.append("candidate: \(candidate)") }
    if !needs.isEmpty { parts.append("needs: \(needs)") }
    if let links { parts.append("links: \(links)") }
    return "Plan(\(parts.joined(separator: ", ")))"
  }
}

extension Plan.Candidate: CustomStringConvertible {
  package var description: String {
    ".init(\"\(id)\"\(gate.map { ", gate: \($0)" } ?? "")\(priority == 0 ? "" : ", priority: \(priority)"))"
  }
}

extension Decorator: CustomStringConvertible {
  package var description: String {
    "Decorator(\(service), id: \(id)\(needs.isEmpty ? "" : ", needs: \(needs)"))"
  }
}

extension Need: CustomStringConvertible {
  package var description: String {
    switch self {
    case .get(let service, let argument): ".get(\(service)\(argument.map { ", with: \($0)" } ?? ""))"
    case .optional(let service): ".optional(\(service))"
    case .all(let service): ".all(\(service))"
    case .load(let service): ".load(\(service))"
    case .fromOutermost(let need): ".fromOutermost(\(need))"
    case .attempt(let need): ".attempt(\(need))"
    }
  }
}
