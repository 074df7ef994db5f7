import Plug
import PlugIsolation
import Testing

// Not private: the runtime cannot name the metatype of a private protocol.
protocol Postal: Sendable {}
protocol Courier: Sendable {}
class Vehicle: @unchecked Sendable {}

private final class Carrier: Postal {}
private final class Van: Vehicle, @unchecked Sendable {}
private struct Bicycle: Courier {}
private struct Tricycle: Courier {}
private struct Round: Sendable { let postal: any Postal }
private struct Letter: Sendable {}
private struct Parcel: Sendable {}
private struct Stamp: Sendable {}
private struct Note: Sendable {}
private struct Bundle: Sendable { let letter: Letter }

@Suite("The first remedy for a missing service", .serialized)
struct RemedyTests {
  private func refusal(_ body: () throws -> Void) throws -> InjectorError {
    try #require(#expect(throws: InjectorError.self, performing: body))
  }

  private func remedies(_ body: () throws -> Void) throws -> [String] {
    let lines = try refusal(body).description.split(separator: "\n").map(String.init)
    return lines.drop { $0 != "To fix this:" }.dropFirst().map { String($0.dropFirst(4)) }
  }

  @Test("is the protocol of a class that is registered without it")
  func classForProtocol() throws {
    let services = Injector("remedy.class")
    try services.register { Carrier() }
    let line = #line + 1
    let error = try refusal { _ = try services.get((any Postal).self) }
    #expect(
      error.description == """
        get((any Postal).self) failed: nothing is registered for Postal.
          service:        Postal
          injector:       remedy.class
          chain:          Postal
          asked at:       PlugTests/RemedyTests.swift:\(line)
          nearest:        Carrier, registered at PlugTests/RemedyTests.swift:\(line - 2)
        To fix this:
          - Carrier is registered as Carrier: register it as (any Postal).self.
          - Or register it before you ask for it: try Injector["remedy.class"].register((any Postal).self, \
        …).
          - Or ask for Carrier, if you meant that.
        """)
    #expect(error.facts.nearest == "Carrier")
  }

  @Test("is the same in a scope, for a superclass, for one of several types, and for a decoration")
  func undeclared() throws {
    let services = Injector()
    let scope = services.makeScope()
    try services.register { Van() }
    try services.register { Tricycle() }
    try services.register { Bicycle() }
    try services.register(tag: "spare") { Carrier() }
    #expect(
      try remedies { _ = try scope.get(Vehicle.self) } == [
        "Van is registered as Van: register it as Vehicle.self.",
        "Or register it before you ask for it: try register(Vehicle.self, …).",
        "Or ask for Van, if you meant that.",
      ])
    #expect(
      try remedies { _ = try scope.decorate((any Courier).self) { inner, _ in inner } } == [
        "Bicycle is registered as Bicycle: register it as (any Courier).self.", "Or register it first.",
      ])
    #expect(
      try remedies { _ = try services.get((any Postal).self) } == [
        "Register it before you ask for it: try register((any Postal).self, …)."
      ])
    #expect(
      try remedies { _ = try services.get((any Postal).self, tag: "spare") } == [
        #"Carrier (tag "spare") is registered as Carrier (tag "spare"): register it as (any Postal).self."#,
        #"Or register it before you ask for it: try register((any Postal).self, tag: "spare", …)."#,
        #"Or ask for Carrier (tag "spare"), if you meant that."#,
      ])
  }

  @Test("is in the report of a validation, too")
  func validation() throws {
    let services = Injector("remedy.valid")
    try services.register(injectable: .lazySingleton(wiring: Round.init))
    try services.register { Carrier() }
    let line = #line - 2
    #expect(
      try refusal { try services.validate() }.description == """
        Injector "remedy.valid" is not valid: 1 problem in 2 services.
        1. Postal is not registered, but is needed by Round.
           at PlugTests/RemedyTests.swift:\(line)
           Carrier is registered as Carrier: register it as (any Postal).self.
        """)
  }

  @Test("is another injector that has the service")
  func elsewhere() throws {
    let (services, other) = (Injector("remedy.here"), Injector("remedy.there"))
    try other.register { Letter() }
    let place = "PlugTests/RemedyTests.swift:\(#line - 1)"
    let register = "egister it before you ask for it: try Injector["
    #expect(
      try remedies { _ = try services.get(Letter.self) } == [
        #"Ask Injector["remedy.there"], where it is registered at \#(place)."#,
        #"Or r\#(register)"remedy.here"].register(Letter.self, …)."#,
      ])
    #expect(
      try remedies { _ = try Injector["remedy.their"].get(Letter.self) } == [
        #"Ask Injector["remedy.there"], where it is registered at \#(place)."#
      ])
    #expect(
      try remedies { _ = try Injector["nowhere"].get(Stamp.self) } == [
        "Create the injector at launch. If a global or static let creates it, use that there: it is made lazily."
      ])
    try services.register(injectable: .lazySingleton(wiring: Bundle.init))
    #expect(
      try refusal { try services.validate() }.description.hasSuffix(
        #"   Ask Injector["remedy.there"], where it is registered at \#(place)."#))
    other.closeNow()
    #expect(
      try remedies { _ = try services.get(Letter.self) } == [
        #"R\#(register)"remedy.here"].register(Letter.self, …)."#
      ])
  }

  @Test("is the order of creation, if the service was registered by name before the injector existed")
  func tooEarly() throws {
    try Injector["remedy.early"].register { Parcel() }
    let line = #line - 1
    let late = Injector("remedy.early")
    #expect(
      try remedies { _ = try late.get(Parcel.self) } == [
        #"Create Injector["remedy.early"] before you use its name: another injector of that name has the service, "#
          + "registered at PlugTests/RemedyTests.swift:\(line).",
        #"Or register it before you ask for it: try Injector["remedy.early"].register(Parcel.self, …)."#,
      ])
  }

  @Test("is the same in an isolated test")
  func isolated() throws {
    let services = Injector("remedy.isolated")
    try Sandbox.run { _ in
      let own = Injector("remedy.own")
      try own.register { Note() }
      let place = "PlugTests/RemedyTests.swift:\(#line - 1)"
      let error = try refusal { _ = try services.get(Note.self) }
      #expect(error.description.contains(#"  - Ask Injector["remedy.own"], where it is registered at \#(place)."#))
    }
  }
}
