import Plug
import Testing

@Suite("A name")
struct NameFaultTests {
  @Test("finds the second injector with it after the first has ended")
  func madeAgain() throws {
    let name: Injector.Name = "names.again"
    var current = Injector(name)
    try current.register(injectable: .singleton(1))
    current = Injector(name)
    try current.register(injectable: .singleton(2))
    #expect(Injector[name] === current)
    #expect(try Injector[name].get(Int.self) == 2)
  }

  @Test("finds the next injector when the first is closed, or a closed one if there is no other")
  func closed() {
    let name: Injector.Name = "names.closed"
    let first = Injector(name)
    let second = Injector(name)
    #expect(Injector[name] === first)
    first.closeNow()
    #expect(Injector[name] === second)
    second.closeNow()
    #expect(Injector[name].isClosed)
    let third = Injector(name)
    #expect(Injector[name] === third)
  }

  @Test("of two injectors is refused by the second one as soon as it is looked up")
  func twice() throws {
    let name: Injector.Name = "names.twice"
    let first = Injector(name)
    let second = Injector(name)
    let line = #line + 1
    try second.register(injectable: .singleton(2))
    try first.seal()
    _ = Injector[name]
    let refusal = #expect(throws: InjectorError.self) { try second.seal() }
    #expect(
      refusal?.description == """
        Injector "names.twice" is not valid: 1 problem in 1 service.
        1. The name "names.twice" finds another injector: 2 injectors share it.
           at PlugTests/NameFaultTests.swift:\(line)
           Close or release the other one first, or choose another name.
        """)
    let absence = #expect(throws: InjectorError.self) { try Injector[name].get(Int.self) }
    #expect(
      absence?.description.hasSuffix(
        """
          - Or close one of the 2 injectors that are called Injector["names.twice"]: the first of them is found by the name.
        """) == true, "\(absence?.description ?? "")")
    first.closeNow()
    try second.seal()
    #expect(try Injector[name].get(Int.self) == 2)
  }

  @Test("finds the injector of its early registrations, and a later injector with it is invalid")
  func early() throws {
    let name: Injector.Name = "names.early"
    try Injector[name].register(injectable: .singleton(1))
    let made = Injector(name)
    #expect(try Injector[name].get(Int.self) == 1)
    #expect(throws: InjectorError.self) { try made.validate() }
  }

  @Test("finds the injector that is made after a provider has used the name")
  func provider() {
    #expect(Injector["names.provided"].answer() == 42)
    let made = Injector("names.provided")
    #expect(Injector["names.provided"] === made)
    #expect(made.answer() == 42)
  }

  @Test("finds the later injector once the injector of its early registrations is closed")
  func closedPlaceholder() throws {
    let name: Injector.Name = "names.early.closed"
    try Injector[name].register(injectable: .singleton(1))
    let made = Injector(name)
    Injector[name].closeNow()
    #expect(Injector[name] === made)
    try made.validate()
  }

  @Test("keeps the early override of a provider when its injector is made")
  func overridden() throws {
    try Injector["names.overridden"].answer.override(.factory { 7 })
    let made = Injector("names.overridden")
    #expect(Injector["names.overridden"].answer() == 7)
    withExtendedLifetime(made) {}
  }

  @Test("of an injector that another thread releases finds this injector or none")
  func released() async {
    let name: Injector.Name = "names.released.often"
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<200 {
            let made = Injector(name)
            _ = Injector[name].isClosed
            made.closeNow()
          }
        }
      }
    }
    let last = Injector(name)
    #expect(Injector[name] === last)
  }

  @Test("that has been looked up is refused by a second injector while the first lives")
  func second() throws {
    let name: Injector.Name = "names.second"
    var first: Injector? = Injector(name)
    #expect(Injector[name] === first)
    let second = Injector(name)
    let line = #line + 1
    try second.register(injectable: .singleton(2))
    let refusal = #expect(throws: InjectorError.self) { try second.seal() }
    #expect(
      refusal?.description == """
        Injector "names.second" is not valid: 1 problem in 1 service.
        1. The name "names.second" finds another injector: 2 injectors share it.
           at PlugTests/NameFaultTests.swift:\(line)
           Close or release the other one first, or choose another name.
        """)
    first = nil
    try second.seal()
    #expect(Injector[name] === second && first == nil)
  }

  @Test("may belong to many injectors until a look-up, and again after the found one is closed")
  func shared() throws {
    let name: Injector.Name = "names.shared"
    let injectors = (0..<3).map { _ in Injector(name) }
    for injector in injectors { try injector.validate() }
    #expect(Injector[name] === injectors[0])
    #expect(injectors.map { (try? $0.validate()) != nil } == [true, false, false])
    injectors[0].closeNow()
    for injector in injectors[1...] { try injector.validate() }
    #expect(Injector[name] === injectors[1])
    #expect(injectors[1...].map { (try? $0.validate()) != nil } == [true, false])
  }
}

extension Injector {
  fileprivate var answer: Provider<Int> { provide(.factory { 42 }) }
}
