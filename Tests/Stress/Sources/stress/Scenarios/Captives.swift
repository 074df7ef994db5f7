import Plug
import TestSupport

extension Scenario {
  /// Singletons that get a scoped service from a scope that outlives its opener, or from a scope of their own.
  static let captives = Scenario("captives") { round, _ in
    var random = round.random
    let injector = Injector("captives")
    let source = Source("scoped", in: injector, round)
    let box = Locked<Injector?>(nil)
    let isScoped = random.chance(50)
    try injector.register(
      as: Product.self, tag: "scoped",
      injectable: isScoped ? .scoped { source.make(from: $0) } : .providedByScope)
    let open: @Sendable (Injector) throws -> Injector = { injector in
      try injector.makeScope("kept") { scope in
        if !isScoped { try scope.register(as: Product.self, tag: "scoped") { source.make(from: $0) } }
      }
    }
    let isConfigured = random.chance(30)
    let getScoped: @Sendable () throws -> Void = {
      if let scope = box.current { _ = try scope.get(Product.self, tag: "scoped") }
    }
    var keeper = Injection<Product>.lazySingleton { injector in
      if !isConfigured { try getScoped() }
      return source.make(from: injector)
    }
    if isConfigured { keeper = keeper.configure { _, _ in try getScoped() } }
    try injector.register(as: Product.self, tag: "keeper", injectable: keeper)
    let opening = random.number(in: 0...3)
    let asking = random.number(in: 0...3)
    for depth in 0...3 {
      try injector.register(
        as: Int.self, tag: .init(rawValue: "open \(depth)"),
        injectable: .factory { injector in
          if depth > 0 { return try injector.get(Int.self, tag: .init(rawValue: "open \(depth - 1)")) }
          let scope = try open(injector)
          box.withLock { $0 = scope }
          return 0
        })
      try injector.register(
        as: Int.self, tag: .init(rawValue: "ask \(depth)"),
        injectable: .factory { injector in
          if depth > 0 { return try injector.get(Int.self, tag: .init(rawValue: "ask \(depth - 1)")) }
          return try injector.get(Product.self, tag: "keeper").number
        })
    }
    try injector.register(
      as: String.self,
      injectable: .factory { injector in
        _ = try injector.get(Int.self, tag: .init(rawValue: "open \(opening)"))
        return "\(try injector.get(Int.self, tag: .init(rawValue: "ask \(asking)")))"
      })
    let drawn = random.pick("request", "request", "thread", "load", "own")
    let place = round.leavesOut(drawn) ? "own" : drawn
    round.note("\(place): opened at depth \(opening), asked at \(asking)\(isConfigured ? ", in a configuration" : "")")
    let expectCaptive: @Sendable (Result<Void, InjectorError>) -> Void = { outcome in
      if case .failure(let error) = outcome {
        round.expect(error.isCaptive, "a captive dependency threw: \(error)")
      } else {
        round.expect(false, "a singleton kept a scoped instance")
      }
    }
    switch place {
    case "request":
      expectCaptive(Result { () throws(InjectorError) in try injector.get(String.self) }.map { _ in })
    case "thread":
      onNewThread { _ = try? injector.get(Int.self, tag: .init(rawValue: "open \(opening)")) }
      for _ in 0..<4 { onNewThread { expectCaptive(injector.outcome("keeper").map { _ in }) } }
    case "load":
      // The load needs an instance that a scope of its own loads, and that gets the scoped service.
      try injector.register(
        as: Int.self, tag: "inner",
        injectable: .scoped { _ async throws in
          try getScoped()
          return 0
        })
      try injector.register(
        as: Product.self, tag: "loaded",
        injectable: .lazySingleton { injector async throws in
          let scope = injector.makeScope("own")
          defer { scope.closeNow() }
          _ = try await scope.load(Int.self, tag: "inner")
          return source.make(from: injector)
        })
      _ = try injector.get(Int.self, tag: .init(rawValue: "open \(opening)"))
      expectCaptive(
        wait { () async -> Result<Void, InjectorError> in
          do throws(InjectorError) {
            return .success(_ = try await injector.load(Product.self, tag: "loaded"))
          } catch {
            return .failure(error)
          }
        })
    default:
      try injector.register(
        as: Product.self, tag: "own",
        injectable: .lazySingleton { injector in
          let scope = try open(injector)
          defer { scope.closeNow() }
          _ = try scope.get(Product.self, tag: "scoped")
          return source.make(from: injector)
        })
      _ = try injector.get(Product.self, tag: "own")
    }
    box.withLock { $0 }?.closeNow()
    injector.closeNow()
    box.withLock { $0 = nil }
  }
}
