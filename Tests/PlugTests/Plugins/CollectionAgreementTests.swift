import TestSupport
import Testing

@testable import Plug

private protocol Device: Sendable {
  var name: String { get }
}

private struct Gadget: Device {
  let name: String
}

/// A service of which several implementations can be registered: a protocol, or a concrete type.
private protocol Implemented: Sendable {
  associatedtype Service: Sendable

  static func make(_ name: String) -> Service
  static func name(_ service: Service) -> String
}

private enum Devices: Implemented {
  static func make(_ name: String) -> any Device { Gadget(name: name) }
  static func name(_ service: any Device) -> String { service.name }
}

private enum Tools: Implemented {
  static func make(_ name: String) -> Gadget { Gadget(name: name) }
  static func name(_ service: Gadget) -> String { service.name }
}

private struct Rack<Service: Sendable>: Sendable {
  let services: [Service]
}

private enum Registrations: CaseIterable {
  case one, contributions, rules, inScope, replaced, providedByScope

  /// Registers implementations, and returns the injector to ask, and the names that it should return.
  func register<Kind: Implemented>(_ kind: Kind.Type, tag: Injector.Tag?) throws -> (
    Injector, [String]
  ) {
    let injector = Injector("workshop")
    func contribute(_ name: String, to owner: Injector, priority: Int = 0) throws {
      try owner.contribute(
        Kind.Service.self, tag: tag, .factory { Kind.make(name) }, id: name, priority: priority)
    }
    switch self {
    case .one:
      try injector.register(Kind.Service.self, tag: tag) { Kind.make("one") }
      return (injector, ["one"])
    case .contributions:
      try contribute("last", to: injector)
      try contribute("first", to: injector, priority: 1)
      try injector.register(Kind.Service.self, tag: tag) { Kind.make("fallback") }
      return (injector, ["first", "last", "fallback"])
    case .rules:
      try injector.register(.singleton(3))
      for age in [2, 3, 4] {
        try injector.contribute(
          Kind.Service.self, tag: tag, .factory { Kind.make("\(age)") },
          when: Rule<Int>.atLeast(\.self, age),
          id: "\(age)")
      }
      return (injector, ["2", "3"])
    case .inScope, .replaced:
      try contribute("outer", to: injector)
      let scope = injector.makeScope("scope")
      if self == .inScope {
        try contribute("inner", to: scope)
        return (scope, ["outer", "inner"])
      }
      try scope.register(Kind.Service.self, tag: tag) { Kind.make("own") }
      return (scope, ["own"])
    case .providedByScope:
      try injector.register(Kind.Service.self, tag: tag, .providedByScope)
      return (injector.makeScope("scope"), [])
    }
  }
}

@Suite("getAll and a request for an array")
struct CollectionAgreementTests {
  private func agree<Kind: Implemented>(
    _ kind: Kind.Type, _ registrations: Registrations, _ tag: Injector.Tag?
  ) async throws {
    let (injector, names) = try registrations.register(kind, tag: tag)
    typealias Array = [Kind.Service]
    #expect(try injector.getAll(Kind.Service.self, tag: tag).map(Kind.name) == names)
    #expect(try injector.get(Array.self, tag: tag).map(Kind.name) == names)
    #expect(try injector.get(Array?.self, tag: tag)?.map(Kind.name) == names)
    #expect(injector[Array.self, tag: tag]?.map(Kind.name) == names)
    #expect(try await injector.load(Array.self, tag: tag).map(Kind.name) == names)
    #expect(Injected<Array>(injector: injector, tag: tag).wrappedValue.map(Kind.name) == names)
    guard tag == nil else { return }
    try injector.register(.factory(wiring: Rack<Kind.Service>.init))
    #expect(try injector.get(Rack<Kind.Service>.self).services.map(Kind.name) == names)
  }

  @Test(
    "return the same implementations of a protocol", arguments: Registrations.allCases,
    [nil, "spare"])
  fileprivate func protocols(_ registrations: Registrations, tag: Injector.Tag?) async throws {
    try await agree(Devices.self, registrations, tag)
  }

  @Test(
    "return the same implementations of a concrete type", arguments: Registrations.allCases,
    [nil, "spare"])
  fileprivate func concreteTypes(_ registrations: Registrations, tag: Injector.Tag?) async throws {
    try await agree(Tools.self, registrations, tag)
  }

  @Test("differ where no concrete type is registered: the array is missing")
  func nothing() throws {
    let injector = Injector("workshop")
    #expect(try injector.getAll((any Device).self).isEmpty)
    #expect(try injector.get([any Device].self).isEmpty)
    #expect(try injector.getAll(Gadget.self).isEmpty)
    #expect(throws: InjectorError.self) { try injector.get([Gadget].self) }
  }
}
