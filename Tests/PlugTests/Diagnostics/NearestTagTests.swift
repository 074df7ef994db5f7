import Plug
import Testing

@Suite("The nearest registration in an error")
struct NearestTagTests {
  @Test("may have a tag")
  func nearest() throws {
    let injector = Injector("nearest.tagged")
    try injector.register(tag: "A", injectable: .singleton(1), fileID: "Shop/Main.swift", line: 3)
    let line = #line + 1
    let error = #expect(throws: InjectorError.self) { try injector.get(Int.self) }
    #expect(
      error?.description == """
        get(Int.self) failed: nothing is registered for Int.
          service:        Int
          injector:       nearest.tagged
          chain:          Int
          asked at:       PlugTests/NearestTagTests.swift:\(line)
          nearest:        Int (tag "A"), registered at Shop/Main.swift:3
        To fix this:
          - Register it before you ask for it: try Injector["nearest.tagged"].register(Int.self, …).
          - Or ask for Int (tag "A"), if you meant that.
        """)
  }

  @Test("of a wired parameter may have a tag")
  func nearestOfWiring() throws {
    struct Reader: Sendable { init(number: Int) {} }
    let injector = Injector("shop")
    try injector.register(tag: "A", injectable: .singleton(1), fileID: "Shop/Main.swift", line: 3)
    try injector.register(injectable: .lazySingleton(wiring: Reader.init))
    let error = #expect(throws: InjectorError.self) { try injector.get(Reader.self) }
    #expect(
      error?.description.contains(#"nearest:        Int (tag "A"), registered at Shop/Main.swift:3"#) == true,
      "\(error?.description ?? "")")
  }
}
