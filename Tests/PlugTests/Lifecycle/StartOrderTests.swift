import TestSupport
import Testing

@testable import Plug

private struct Pool: Sendable {}
private struct Store: Sendable {}
private struct Cache: Sendable {}
private struct Metrics: Sendable {}

@Suite("The order of a start")
struct StartOrderTests {
  private let services = Injector()
  private let log = Log()

  private func making<Service: Sendable>(_ service: Service) -> @Sendable () -> Service {
    { [log] in
      log.add("\(service)")
      return service
    }
  }

  @Test("is the order of registration of eager services", arguments: [false, true])
  func registration(isSealed: Bool) async throws {
    let tags = (0..<50).map { Injector.Tag(rawValue: "\($0)") }
    for tag in tags {
      try services.register(tag: tag, injectable: .lazySingleton { [log] in log.add("\(tag)") }.eager())
    }
    if isSealed { try services.seal() }
    try await services.start()
    #expect(log.lines == tags.map(\.rawValue))
  }

  @Test("is the order of the declared dependencies, also through a service that is not eager")
  func dependencies() async throws {
    try services.register(injectable: .lazySingleton(making(Cache())).depends(on: Store.self).eager())
    try services.register(injectable: .lazySingleton(making(Metrics())).eager())
    try services.register(injectable: .lazySingleton(making(Store())).depends(on: Pool.self))
    try services.register(
      injectable: .lazySingleton { [make = making(Pool())] in
        await Task.yield()
        return make()
      })
    try await services.start()
    #expect(log.lines == ["Pool()", "Store()", "Cache()", "Metrics()"])
  }

  @Test("does not matter to a chain of any length, in which each service loads the next", arguments: [false, true])
  func chain(isStarted: Bool) async throws {
    let tags = (0...1_200).map { Injector.Tag(rawValue: "\($0)") }
    for (tag, next) in zip(tags, tags.dropFirst()) {
      try services.register(
        tag: tag, injectable: .lazySingleton { try await $0.load(Int.self, tag: next) + 1 })
    }
    try services.register(tag: tags.last, injectable: .lazySingleton { () async in 0 })
    if isStarted { try await services.start() }
    #expect(try await services.load(Int.self, tag: tags[0]) == 1_200)
  }

  @Test("does not matter to a cycle of any length, which is reported as one")
  func cycle() async throws {
    let tags = (0...1_200).map { Injector.Tag(rawValue: "\($0)") }
    for (tag, next) in zip(tags, tags.dropFirst() + tags.prefix(1)) {
      try services.register(
        tag: tag, injectable: .lazySingleton { try await $0.load(Int.self, tag: next) + 1 })
    }
    let error = await #expect(throws: InjectorError.self) { try await services.load(Int.self, tag: tags[0]) }
    guard case .circularDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == (tags + tags.prefix(1)).map { "Int (tag \"\($0)\")" })
  }

  @Test("makes what an asynchronous service depends on before it")
  func asynchronous() async throws {
    try services.register(
      injectable: .lazySingleton { [make = making(Store())] in
        await Task.yield()
        return make()
      }.depends(on: Pool.self))
    try services.register(injectable: .lazySingleton(making(Pool())).depends(on: Metrics.self))
    try services.register(injectable: .lazySingleton(making(Metrics())))
    try await services.start()
    #expect(log.lines == ["Metrics()", "Pool()", "Store()"])
  }

  @Test(
    "makes a chain of 3,000 asynchronous services from its end, whether they declare or load what they need",
    arguments: [false, true], [false, true])
  func chain(isDeclared: Bool, isReversed: Bool) async throws {
    let tags = (0..<3_000).map { Injector.Tag(rawValue: "\($0)") }
    let pairs = zip([nil] + tags, tags)
    for (needed, tag) in isReversed ? pairs.reversed() : Array(pairs) {
      let injection = Injection<Int>.lazySingleton { [log] injector in
        await Task.yield()
        if let needed, !isDeclared { _ = try await injector.load(Int.self, tag: needed) }
        log.add("\(tag)")
        return 0
      }
      let declared = needed.flatMap { isDeclared ? injection.depends(on: Int.self, tag: $0) : nil }
      try services.register(tag: tag, injectable: declared ?? injection)
    }
    try await services.start()
    #expect(log.lines == tags.map(\.rawValue))
  }

  @Test("ends for declarations in a circle, and at the first failure")
  func ends() async throws {
    try services.register(injectable: .lazySingleton(making(Cache())).depends(on: Store.self).eager())
    try services.register(injectable: .lazySingleton(making(Store())).depends(on: Cache.self).eager())
    try services.register(as: Pool.self, injectable: .lazySingleton { throw Boom() }.eager())
    try services.register(injectable: .lazySingleton(making(Metrics())).eager())
    let error = await #expect(throws: InjectorError.self) { try await services.start() }
    #expect(error?.facts.service == "Pool")
    #expect(log.lines.sorted() == ["Cache()", "Store()"])
  }

  @Test("passes over a candidate that was unregistered before its turn")
  func unregistered() async throws {
    let first = Injection<Cache>.lazySingleton { [log] injector in
      try injector.unregister(Store.self, candidate: "late")
      log.add("first")
      return Cache()
    }
    try services.register(injectable: first.eager())
    try services.contribute(Store.self, .lazySingleton(making(Store())).eager(), id: "late")
    try services.contribute(Store.self, .lazySingleton(making(Store())).eager(), id: "last")
    try await services.start()
    #expect(log.lines == ["first", "Store()"])
    #expect(try services.getAll(Store.self).count == 1)
  }
}
