import Benchmark
import Plug

func register<Service: Numbered>(_ type: Service.Type, in injector: Injector) throws(InjectorError) {
  try injector.register(as: type) { Service() }
}

/// What someone would write who needs just this: tables of typed factories.
final class Factories {
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let tag: String
  }

  private final class Factory<Service: Sendable> {
    let make: @Sendable () -> Service
    var instance: Service?

    init(_ make: @escaping @Sendable () -> Service) {
      self.make = make
    }
  }

  private var table: [ObjectIdentifier: AnyObject] = [:]
  private var tagged: [Key: AnyObject] = [:]

  func register<Service: Numbered>(_ type: Service.Type) {
    table[ObjectIdentifier(type)] = Factory { Service() }
  }

  /// The instance of a service, made the first time; `nil` if it is not registered.
  func get<Service: Numbered>(_ type: Service.Type) -> Service? {
    guard let found = table[ObjectIdentifier(type)] else { return nil }
    let factory = unsafeDowncast(found, to: Factory<Service>.self)
    if let instance = factory.instance { return instance }
    let instance = factory.make()
    factory.instance = instance
    return instance
  }

  func register<Service: Sendable>(_ type: Service.Type, tag: String, _ make: @escaping @Sendable () -> Service) {
    tagged[Key(type: ObjectIdentifier(type), tag: tag)] = Factory(make)
  }
}

/// Registrations into an empty injector, with its end.
func registering() {
  for count in [10, 100, 1000, 10_000] {
    func types() -> [any Numbered.Type] { Array(NumberedTypes.all.prefix(count)) }
    compare(  // Its budget is 1.5.
      "register, each of \(count) types", limit: count == 10_000 ? 4.6 : 2.2,
      Work(count, on: types()) { types, _ in
        let injector = Injector()
        for type in types { try register(type, in: injector) }
        blackHole(injector)
      },
      with: Work(count, on: types()) { types, _ in
        let factories = Factories()
        for type in types { factories.register(type) }
        blackHole(factories)
      })
  }
  let tags = (0..<1000).map { "tag \($0)" }
  compare(
    "register, each of 1000 tags of a type", limit: 2.5,
    Work(tags.count) { _ in
      let injector = Injector()
      for tag in tags {
        try injector.register(
          as: Network.self, tag: Injector.Tag(rawValue: tag), injectable: .lazySingleton { HTTPNetwork() })
      }
      blackHole(injector)
    },
    with: Work(tags.count) { _ in
      let factories = Factories()
      for tag in tags { factories.register((any Network).self, tag: tag) { HTTPNetwork() } }
      blackHole(factories)
    })
  compareGrowth("register tags of a type", to: 10_000) { count in
    let injector = Injector()
    for number in 0..<count {
      try injector.register(
        as: Network.self, tag: Injector.Tag(rawValue: "tag \(number)"), injectable: .lazySingleton { HTTPNetwork() })
    }
    blackHole(injector)
  }
  compareGrowth("register candidates one by one and get one", to: 10_000) { count in
    let injector = Injector()
    for number in 0..<count {
      try injector.contribute(
        Network.self, .factory { HTTPNetwork() }, when: Rule<Shopper>.always,
        id: "candidate \(number)")
    }
    blackHole(try injector.get(Network.self, in: Shopper.none))
  }
  compareGrowth("add candidates to a point", to: 1000) { count in
    var point = PluginPoint<any Network, Shopper>("networks") {}
    for number in 0..<count { try point.add(Candidate("candidate \(number)", .factory { HTTPNetwork() })) }
    blackHole(point.candidateIDs.count)
  }
}

/// Compares work with ten times the work of a tenth of its size, which takes as long if the time is linear.
private func compareGrowth(_ row: String, to count: Int, _ work: @escaping (_ count: Int) throws -> Void) {
  compare(
    "\(row), \(count) against 10 times \(count / 10)", limit: 2,
    Work(1) { _ in try work(count) },
    with: Work(1) { _ in for _ in 0..<10 { try work(count / 10) } })
}
