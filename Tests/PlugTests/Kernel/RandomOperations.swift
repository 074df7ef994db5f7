import Plug
import PlugOperations
import TestSupport
import Testing

private struct Failure: Error {}

/// An instance that a factory makes, with its dependencies.
private final class Made: Sendable {
  let service: Int
  let needs: [Made]

  init(_ service: Int, _ needs: [Made]) { (self.service, self.needs) = (service, needs) }
}

/// Applies each operation to the injectors and to the model, and compares the results.
private final class Comparison {
  private typealias Model = OperationModel

  private let model: Model
  private var injectors: [Injector]
  private var random: SplitMix64
  private let failing = Locked<Set<Int>>([])
  private let closed = Locked<[Int]>([])
  /// All instances made, so that no weak reference ends meanwhile.
  private let made = Locked<[Made]>([])
  private var counterparts: [ObjectIdentifier: Made] = [:]
  private var origins: [ObjectIdentifier: Model.Instance] = [:]
  private(set) var history: [String] = []

  init(_ random: SplitMix64) {
    self.random = random
    let allowsRewriting = self.random.chance(30)
    model = Model(allowsRewriting: allowsRewriting)
    injectors = [Injector("root", allowRewrite: allowsRewriting)]
  }

  // MARK: Operations

  func step() async {
    let place = random.chance(40) ? 0 : random.number(in: 0...(model.scopes.count - 1))
    let (scope, injector) = (model.scopes[place], injectors[place])
    let service = random.number(in: 0...(Model.services - 1))
    let argument = Model.takesArgument(service) ? random.number(in: 0...1) : 0
    switch random.number(in: 0...99) {
    case 0..<22: register(service, in: place)
    case 22..<27:
      compare("unregister \(service) in \(place)") { () throws(Model.Refusal) in
        try model.unregister(service, in: scope)
      } _: { () throws(InjectorError) in
        if Model.takesArgument(service) {
          _ = try injector.unregister(type: Made.self, tag: .number(service), taking: Int.self)
        } else {
          _ = try injector.unregister(type: Made.self, tag: .number(service))
        }
      }
    case 27..<32:
      compare("decorate \(service) in \(place)") { () throws(Model.Refusal) in
        try model.decorate(service, in: scope)
      } _: { [made] () throws(InjectorError) in
        try injector.decorate(Made.self, tag: .number(service)) { inner, _ in
          made.adding(Made(inner.service, [inner]))
        }
      }
    case 32..<42 where model.scopes.count < 8 && scope.depth < 4:
      history.append("open \(model.scopes.count) in \(place)")
      _ = model.open(in: scope)
      injectors.append(injector.makeScope())
    case 42..<45 where place != 0 || random.chance(20):
      history.append("close \(place)")
      model.close(scope)
      if random.chance(50) { injector.closeNow() } else { await injector.close() }
    case 45..<48:
      history.append("reset \(place)")
      model.reset(scope)
      injector.reset()
    case 48..<52:
      if model.failing.remove(service) == nil { model.failing.insert(service) }
      history.append("failing \(model.failing.sorted())")
      failing.withLock { $0 = model.failing }
    case 52..<53 where !model.scopes[0].isClosed:
      history.append("seal")
      model.scopes[0].isSealed = true
      do { try injectors[0].seal() } catch { Issue.record("\(error)") }
    case 53..<75 where !Model.takesArgument(service):
      let (expected, found) = await outcomes("load \(service) \(argument) in \(place)") { () throws(Model.Refusal) in
        try model.load(service, argument, in: scope)
      } _: { () async throws(InjectorError) in
        try await injector.load(Made.self, tag: .number(service))
      }
      compare(expected, found)
    default:
      let (expected, found) = await outcomes("get \(service) \(argument) in \(place)") { () throws(Model.Refusal) in
        try model.get(service, argument, in: scope)
      } _: { () async throws(InjectorError) in
        if Model.takesArgument(service) { return try injector.get(Made.self, tag: .number(service), with: argument) }
        return try injector.get(Made.self, tag: .number(service))
      }
      compare(expected, found)
    }
    let expected = model.closed.map(\.service)
    #expect(closed.current == expected, "\(text)")
  }

  func end() async {
    for (scope, injector) in zip(model.scopes, injectors).reversed() {
      model.close(scope)
      await injector.close()
    }
    #expect(closed.current == model.closed.map(\.service), "\(text)")
  }

  var text: String { history.joined(separator: "\n") }

  private func register(_ service: Int, in place: Int) {
    let (scope, injector) = (model.scopes[place], injectors[place])
    let takesArgument = Model.takesArgument(service)
    let lifetime: Lifetime =
      takesArgument
      ? random.pick(.lazySingleton, .scoped, .factory)
      : random.pick(.lazySingleton, .lazySingleton, .scoped, .weakSingleton, .graph, .factory)
    let isLoaded = !takesArgument && (lifetime == .lazySingleton || lifetime == .scoped) && random.chance(25)
    let plain = Model.services - 2
    let needs = (0..<plain).filter { ($0 > service || takesArgument) && random.chance(30) }
    let name = "register \(service) in \(place): \(lifetime) needs \(needs)\(isLoaded ? " loaded" : "")"
    let make = maker(service, needs)
    compare(name) { () throws(Model.Refusal) in
      try model.register(service, lifetime, needs: needs, isLoaded: isLoaded, in: scope)
    } _: { () throws(InjectorError) in
      if takesArgument {
        _ = try injector.register(
          as: Made.self, tag: .number(service), taking: Int.self,
          lifetime: lifetime == .lazySingleton ? .lazySingleton : lifetime == .scoped ? .scoped : .factory
        ) { _, injector in try make(injector) }
      } else {
        _ = try injector.register(
          tag: .number(service), injectable: injection(service, lifetime, needs, isLoaded: isLoaded))
      }
    }
  }

  private func injection(_ service: Int, _ lifetime: Lifetime, _ needs: [Int], isLoaded: Bool) -> Injection<Made> {
    let (failing, made, closed) = (failing, made, closed)
    let make = maker(service, needs)
    let load: @Sendable (Injector) async throws -> Made = { injector in
      await Task.yield()
      if failing.current.contains(service) { throw Failure() }
      var found: [Made] = []
      for need in needs { found.append(try await injector.load(tag: .number(need))) }
      return made.adding(Made(service, found))
    }
    let close: @Sendable (Made) -> Void = { instance in closed.withLock { $0.append(instance.service) } }
    switch lifetime {
    case .scoped:
      let injection: Injection<Made> = isLoaded ? .scoped(load) : .scoped(make)
      return injection.onClose(close)
    case .weakSingleton: return .weakSingleton(make)
    case .graph: return .graph(make)
    case .factory: return .factory(make)
    default:
      let injection: Injection<Made> = isLoaded ? .lazySingleton(load) : .lazySingleton(nil, make)
      return injection.onClose(close)
    }
  }

  private func maker(_ service: Int, _ needs: [Int]) -> @Sendable (Injector) throws -> Made {
    let (failing, made) = (failing, made)
    return { injector in
      if failing.current.contains(service) { throw Failure() }
      return made.adding(Made(service, try needs.map { try injector.get(tag: .number($0)) }))
    }
  }

  // MARK: Comparing

  private func compare(
    _ name: String, _ change: () throws(OperationModel.Refusal) -> Void, _ real: () throws(InjectorError) -> Void
  ) {
    history.append(name)
    let expected = Result { () throws(OperationModel.Refusal) in try change() }.refusal
    let found = Result { () throws(InjectorError) in try real() }.refusal
    #expect(found == expected, "\(text)")
  }

  private func outcomes(
    _ name: String, _ expected: () throws(OperationModel.Refusal) -> OperationModel.Instance,
    _ found: () async throws(InjectorError) -> Made
  ) async -> (Result<OperationModel.Instance, OperationModel.Refusal>, Result<Made, InjectorError>) {
    history.append(name)
    let expected = Result { () throws(OperationModel.Refusal) in try expected() }
    do throws(InjectorError) {
      return (expected, .success(try await found()))
    } catch {
      return (expected, .failure(error))
    }
  }

  private func compare(
    _ expected: Result<OperationModel.Instance, OperationModel.Refusal>, _ found: Result<Made, InjectorError>
  ) {
    if case (.success(let instance), .success(let made)) = (expected, found) {
      #expect(isSame(instance, made), "\(text)")
    } else {
      #expect(found.refusal == expected.refusal, "\(found)\n\(text)")
    }
  }

  /// Whether an object, with all its dependencies, corresponds to an instance of the model and to no other.
  private func isSame(_ instance: OperationModel.Instance, _ made: Made) -> Bool {
    if let known = counterparts[ObjectIdentifier(instance)] { return known === made }
    guard origins[ObjectIdentifier(made)] == nil, instance.service == made.service,
      instance.needs.count == made.needs.count
    else { return false }
    counterparts[ObjectIdentifier(instance)] = made
    origins[ObjectIdentifier(made)] = instance
    kept.append(instance)
    return zip(instance.needs, made.needs).allSatisfy { isSame($0, $1) }
  }

  /// Instances of the model that are compared by their addresses.
  private var kept: [OperationModel.Instance] = []
}

extension Result {
  /// The failure of a request in the terms of the model; `nil` if it succeeded.
  fileprivate var refusal: OperationModel.Refusal? {
    guard case .failure(let error) = self else { return nil }
    if let refusal = error as? OperationModel.Refusal { return refusal }
    switch error as? InjectorError {
    case .notRegistered: return .notRegistered
    case .closed: return .closed
    case .captiveDependency: return .captive
    case .scopeRequired: return .scopeRequired
    case .notLoaded: return .notLoaded
    case .constructionFailed: return .failed
    case .alreadyRegistered: return .alreadyRegistered
    case .instanceExists: return .instanceExists
    case .sealed: return .sealed
    default:
      Issue.record("\(error)")
      return nil
    }
  }
}

extension Locked where Value == [Made] {
  fileprivate func adding(_ made: Made) -> Made {
    withLock { $0.append(made) }
    return made
  }
}

@Suite("Random operations")
struct RandomOperations {
  @Test("have the results of the plainest program", .repeatable)
  func model() async throws {
    try await Rounds.run(300) { round in
      let comparison = Comparison(round.random)
      for _ in 0..<60 { await comparison.step() }
      await comparison.end()
    }
  }
}

extension Injector.Tag {
  fileprivate static func number(_ number: Int) -> Self { Self(rawValue: "\(number)") }
}
