import TestSupport
import Testing

@testable import Plug

private final class Node: Sendable {}
private struct Moment: Sendable {}

/// Services in nested injectors, each of which may be registered in several.
private struct Model {
  struct Part {
    let id: String?
    let lifetime: Lifetime
    let needs: [Int]
    /// How the needs are known: not at all, as parameters, or by a declaration.
    let form: Form

    var isOwned: Bool { lifetime.isKept && lifetime != .scoped }
  }

  enum Form: CaseIterable { case opaque, wired, declared }

  struct Service {
    let parts: [Part]
    let isChoice: Bool
  }

  /// The services of each level, the innermost first, by their numbers.
  var levels: [[Int: Service]] = []
  /// The levels that provide the context of choices.
  var contexts: Set<Int> = []
  let size: Int

  init(using random: inout SplitMix64) {
    size = Int.random(in: 1...6, using: &random)
    for level in 0..<Int.random(in: 1...3, using: &random) {
      if Int.random(in: 0..<3, using: &random) == 0 { contexts.insert(level) }
      var services: [Int: Service] = [:]
      for number in 0..<size where Int.random(in: 0..<3, using: &random) > 0 {
        let isChoice = Int.random(in: 0..<4, using: &random) == 0
        let count = isChoice ? Int.random(in: 0...2, using: &random) : 1
        services[number] = Service(
          parts: (0..<count).map { part(isChoice ? "c\($0)" : nil, using: &random) }, isChoice: isChoice)
      }
      levels.append(services)
    }
  }

  private func part(_ id: String?, using random: inout SplitMix64) -> Part {
    let lifetimes: [Lifetime] = [.lazySingleton, .weakSingleton, .scoped, .graph, .factory]
    let needs = (0..<Int.random(in: 0...2, using: &random)).map { _ in Int.random(in: 0..<size, using: &random) }
    return Part(
      id: id, lifetime: lifetimes.randomElement(using: &random) ?? .factory, needs: needs,
      form: Form.allCases.randomElement(using: &random) ?? .wired)
  }

  func name(_ number: Int, _ id: String? = nil) -> String { "Node (tag \"\(number)\")" + (id.map { " [\($0)]" } ?? "") }

  /// The innermost of the injectors.
  func makeInjector() throws -> Injector {
    var injector = Injector("random")
    for level in levels.indices.reversed() {
      if level < levels.count - 1 { injector = injector.makeScope("level \(level)") }
      if contexts.contains(level) { try injector.register(injectable: .singleton(Moment())) }
      for (number, service) in levels[level].sorted(by: { $0.key < $1.key }) {
        let tag = Injector.Tag(rawValue: "\(number)")
        if service.isChoice {
          try injector.register(
            PluginPoint<Node, Moment>("\(number) at \(level)") {
              for part in service.parts {
                Candidate(part.id ?? "", injection(part)).when(Rule("applies") { _ in true })
              }
            }, tag: tag)
        } else {
          try injector.register(tag: tag, injectable: injection(service.parts[0]))
        }
      }
    }
    return injector
  }

  private func injection(_ part: Part) -> Injection<Node> {
    let keys = part.needs.map { Key(Node.self, Injector.Tag(rawValue: "\($0)")) }
    let injection: Injection<Node> =
      switch part.lifetime {
      case .weakSingleton: .weakSingleton { Node() }
      case .scoped: .scoped { Node() }
      case .graph: .graph { Node() }
      case .factory: .factory { Node() }
      default: .lazySingleton { Node() }
      }
    return injection.mappingFactory { recipe in
      switch part.form {
      case .opaque: recipe.changed(needs: .opaque)
      case .wired: recipe.changed(needs: .wired(keys))
      case .declared: recipe.changed(needs: .declared(keys))
      }
    }
  }
}

/// The problems of a model, by straightforward definitions.
private struct Expectation {
  /// A service as a level sees it.
  struct Place: Hashable {
    let number: Int
    let owner: Int
    /// The level from which the needs of parts that the owner does not keep are looked up.
    let level: Int
  }

  struct PartPlace: Hashable {
    let place: Place
    let index: Int
  }

  let model: Model
  private(set) var places: Set<Place> = []

  init(_ model: Model) {
    self.model = model
    var queue = (0..<model.size).compactMap { place(of: $0, from: 0) }
    while let next = queue.popLast() {
      guard places.insert(next).inserted else { continue }
      for part in parts(of: next) { queue += needs(of: part).compactMap { place(of: $0, from: level(of: part)) } }
    }
  }

  func service(_ place: Place) -> Model.Service {
    model.levels[place.owner][place.number] ?? Model.Service(parts: [], isChoice: false)
  }
  func part(_ place: PartPlace) -> Model.Part { service(place.place).parts[place.index] }
  func parts(of place: Place) -> [PartPlace] { service(place).parts.indices.map { PartPlace(place: place, index: $0) } }
  func name(_ place: PartPlace) -> String { model.name(place.place.number, part(place).id) }
  func needs(of place: PartPlace) -> [Int] { part(place).form == .opaque ? [] : part(place).needs }
  func level(of place: PartPlace) -> Int { part(place).isOwned ? place.place.owner : place.place.level }

  func place(of number: Int, from level: Int) -> Place? {
    guard let owner = model.levels.indices.first(where: { $0 >= level && model.levels[$0][number] != nil }) else {
      return nil
    }
    let isOwned = service(Place(number: number, owner: owner, level: level)).parts.allSatisfy(\.isOwned)
    return Place(number: number, owner: owner, level: isOwned ? owner : level)
  }

  /// The services that a part needs, without choices that it may make in a context of its own.
  func targets(of place: PartPlace) -> [Place] {
    needs(of: place).compactMap { self.place(of: $0, from: level(of: place)) }
      .filter { part(place).form == .wired || !service($0).isChoice }
  }

  func depth(_ level: Int) -> Int { model.levels.count - 1 - level }

  /// The depth of the injector that keeps a part.
  func depth(of place: PartPlace) -> Int? {
    switch part(place).lifetime {
    case .scoped: max(1, depth(place.place.level))
    case .graph, .factory: nil
    default: depth(place.place.owner)
    }
  }

  var allParts: [PartPlace] { places.flatMap { parts(of: $0) } }

  var missing: Set<String> {
    var askers: [Int: Set<String>] = [:]
    for part in allParts {
      for need in needs(of: part) where place(of: need, from: level(of: part)) == nil {
        askers[need, default: []].insert(name(part))
      }
    }
    return Set(askers.map { "\(model.name($0)): \($1.sorted())" })
  }

  var contextsMissing: [String] {
    places.filter { place in
      service(place).isChoice && !model.contexts.contains { $0 >= place.level }
    }.compactMap { place in
      let askers = allParts.filter { part(of: $0).form == .wired && targets(of: $0).contains(place) }
      return askers.isEmpty ? nil : "\(model.name(place.number)): \(Set(askers.map { name($0) }).sorted())"
    }.sorted()
  }

  private func part(of place: PartPlace) -> Model.Part { part(place) }

  /// The first name of each group of services that need each other.
  var circular: [String] {
    func reached(_ start: Place) -> Set<Place> {
      var (reached, queue) = (Set<Place>(), parts(of: start).flatMap { targets(of: $0) })
      while let next = queue.popLast() {
        if reached.insert(next).inserted { queue += parts(of: next).flatMap { targets(of: $0) } }
      }
      return reached
    }
    let groups = places.filter { reached($0).contains($0) }.map { place in
      Set(reached(place).filter { reached($0).contains(place) })
    }
    return Set(groups).map { group in group.map { model.name($0.number) }.min() ?? "" }.sorted()
  }

  var captive: [String] {
    func captured(_ start: PartPlace, _ depth: Int, _ seen: inout Set<PartPlace>) {
      for need in needs(of: start) {
        guard let target = place(of: need, from: level(of: start)) else { continue }
        for part in parts(of: target) where seen.insert(part).inserted && self.depth(of: part) == nil {
          captured(part, depth, &seen)
        }
      }
    }
    return allParts.filter { part($0).isOwned }.flatMap { keeper -> [String] in
      var seen: Set<PartPlace> = []
      guard let depth = depth(of: keeper) else { return [] }
      captured(keeper, depth, &seen)
      return seen.filter { self.depth(of: $0) ?? 0 > depth }.map { "\(name(keeper)) → \(name($0))" }
    }.sorted()
  }

  var opaque: [String] { allParts.filter { part($0).form == .opaque }.map { name($0) }.sorted() }
}

@Suite("Validation of random graphs")
struct RandomValidationTests {
  @Test("finds exactly the problems that straightforward definitions give")
  func problems() throws {
    var counts: [ValidationReport.Problem.Kind: Int] = [:]
    for seed in 0..<3_000 {
      var random = SplitMix64(seed: UInt64(seed))
      let model = Model(using: &random)
      let expected = Expectation(model)
      let report = try model.makeInjector().report
      func found(_ kind: ValidationReport.Problem.Kind, _ text: (ValidationReport.Problem) -> String) -> [String] {
        let found = report.problems.filter { $0.kind == kind }
        counts[kind, default: 0] += found.count
        return found.map(text).sorted()
      }
      let missing = found(.missing) { "\($0.subject): \($0.details)" }
      #expect(missing == expected.missing.sorted(), "\(seed)")
      #expect(found(.circular, \.subject) == expected.circular, "\(seed)")
      let captive = found(.captive) {
        "\($0.subject) → \($0.details.last?.split(separator: " (").dropLast().joined(separator: " (") ?? "")"
      }
      #expect(captive == expected.captive, "\(seed)")
      let contexts = found(.contextMissing) { "\($0.subject): \($0.details.dropFirst())" }
      #expect(contexts == expected.contextsMissing, "\(seed)")
      #expect(found(.opaque, \.subject) == expected.opaque, "\(seed)")
      #expect(report.opaque == expected.opaque, "\(seed)")
    }
    #expect(counts.values.allSatisfy { $0 > 20 } && counts.count == 5, "\(counts)")
  }
}

extension Injector {
  /// The report of a complete validation, whether there are problems or not.
  fileprivate var report: ValidationReport {
    get throws {
      do throws(InjectorError) {
        return try validate(strict: true)
      } catch .invalid(_, let report) {
        return report
      }
    }
  }
}
