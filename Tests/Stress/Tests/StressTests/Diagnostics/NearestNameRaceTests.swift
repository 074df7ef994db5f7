import TestSupport
import Testing

@testable import Plug

@Suite("The nearest name under several threads", .repeatable)
struct NearestNameRaceTests {
  @Test("is the same for eight threads that request it at once, 500 times")
  func race() throws {
    let injector = Injector()
    for number in 0..<20 {
      try injector.register(as: Int.self, tag: .init(rawValue: "number \(number)"), injectable: .singleton(number))
    }
    try TestSupport.race(threads: 8) { (round: Int) -> InjectorError? in
      #expect(throws: InjectorError.self) { try injector.get(Int.self, tag: .init(rawValue: "nmber \(round % 20)")) }
    } body: { (error: InjectorError?, _: Int) -> String? in
      error?.facts.nearest
    } check: { (error: InjectorError?, names: [String?]) in
      let expected = error?.facts.tag.map { "Int (tag \"nu\($0.dropFirst())\")" }
      #expect(Set(names) == [expected])
    }
  }
}
