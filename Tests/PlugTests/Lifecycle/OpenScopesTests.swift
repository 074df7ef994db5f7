import Plug
import Testing

@Suite("Scopes that are open when their parent is closed")
struct OpenScopesTests {
  let services = Injector("services")

  @Test("are counted in the report of the closing, until each is closed or released")
  func count() async throws {
    let first = services.makeScope("first")
    var second: Injector? = services.makeScope("second")
    let inner = first.makeScope("inner")
    #expect(
      await services.close().map(\.description) == [
        """
        The injector was closed too early: 2 of its scopes were still open.
          injector:       services
        To fix this:
          - Close its scopes first: code that opens a scope closes it, as withScope does.
        """
      ])
    first.closeNow()
    first.closeNow()
    #expect(
      await services.close().map(\.headline) == ["The injector was closed too early: 1 of its scopes was still open."])
    withExtendedLifetime(second) {}
    second = nil
    #expect(await services.close().isEmpty)
    #expect(await first.close().map(\.facts.injector) == ["services/first"])
    withExtendedLifetime(inner) {}
  }

  @Test("are none after scopes that withScope opened, that are too deep, or that were opened too late")
  func none() async throws {
    func work() { services.withScope("request") { scope in #expect(!scope.isClosed) } }
    work()
    await services.withScope("request") { scope in #expect(!scope.isClosed) }
    var scopes = [services]
    for _ in 0...201 { scopes.append(scopes[scopes.count - 1].makeScope()) }
    for scope in scopes.dropFirst().reversed() { #expect(await scope.close().isEmpty) }
    #expect(await services.close().isEmpty)
    let late = services.makeScope("late")
    #expect(await services.close().isEmpty)
    #expect(await late.close().isEmpty)
  }

  @Test("are counted after the failures to close instances")
  func failures() async throws {
    struct Full: Error, CustomStringConvertible { let description = "the disk is full" }
    try services.register(as: Int.self, injectable: .lazySingleton { 1 }.onClose { _ in throw Full() })
    _ = try services.get(Int.self)
    let scope = services.makeScope("request")
    #expect(
      await services.close().map(\.headline) == [
        "Int could not be closed: the disk is full",
        "The injector was closed too early: 1 of its scopes was still open.",
      ])
    scope.closeNow()
  }
}
