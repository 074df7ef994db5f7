/// One operation of a program with injectors. Injectors are numbered: 0 is the root, and the others are scopes.
///
/// Its description is the Swift code that creates it, so that a test can repeat the program of a failure.
package enum Operation: Sendable {
  case open(Int, in: Int, String)
  case register(Plan, in: Int)
  /// Adds a candidate, which applies while its gate is open.
  case candidate(String, Plan, gate: Int? = nil, priority: Int = 0, in: Int)
  case unregister(Int, candidate: String? = nil, in: Int)
  case decorate(Int, needs: [Need] = [], in: Int)
  case reset(Int)
  case resetService(Int, in: Int)
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

  package let service: Int
  package let life: Life
  package var needs: [Need]
  /// The requests of its configuration; `nil` if it has none.
  package var links: [Need]?

  package init(_ service: Int, _ life: Life, needs: [Need] = [], links: [Need]? = nil) {
    (self.service, self.life, self.needs, self.links) = (service, life, needs, links)
  }
}

/// A request of a program or of a closure.
package indirect enum Need: Sendable {
  case get(Int)
  case optional(Int)
  case all(Int)
  case inherited(Int)
  case with(Int, argument: Int)
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
    case .open(_, let place, _), .register(_, let place), .candidate(_, _, _, _, let place), .decorate(_, _, let place),
      .unregister(_, _, let place), .reset(let place), .resetService(_, let place), .close(let place),
      .seal(let place), .request(_, let place):
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
    case .candidate(let id, let plan, let gate, let priority, let place):
      ".candidate(\"\(id)\", \(plan)\(gate.map { ", gate: \($0)" } ?? ""), priority: \(priority), in: \(place))"
    case .unregister(let service, let candidate, let place):
      ".unregister(\(service)\(candidate.map { ", candidate: \"\($0)\"" } ?? ""), in: \(place))"
    case .decorate(let service, let needs, let place): ".decorate(\(service), needs: \(needs), in: \(place))"
    case .reset(let place): ".reset(\(place))"
    case .resetService(let service, let place): ".resetService(\(service), in: \(place))"
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
    let needs = needs.isEmpty ? "" : ", needs: \(needs)"
    return "Plan(\(service), .\(life)\(needs)\(links.map { ", links: \($0)" } ?? ""))"
  }
}

extension Need: CustomStringConvertible {
  package var description: String {
    switch self {
    case .get(let service): ".get(\(service))"
    case .optional(let service): ".optional(\(service))"
    case .all(let service): ".all(\(service))"
    case .inherited(let service): ".inherited(\(service))"
    case .with(let service, let argument): ".with(\(service), argument: \(argument))"
    case .fromOutermost(let need): ".fromOutermost(\(need))"
    case .attempt(let need): ".attempt(\(need))"
    }
  }
}
