import Plug
import Testing

extension Injector {
  fileprivate func shard(_ number: Int) -> Provider<Int> { provide(.lazySingleton { number }) }
  fileprivate func empty<Element: Sendable>() -> Provider<[Element]> { provide(.lazySingleton { [] }) }
}

@Suite("A provider that is a function")
struct ProviderFunctionTests {
  private let injector = Injector()

  @Test("traps if it has arguments, since it cannot distinguish them")
  func arguments() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Injector().shard(1)()
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(
        "cannot provide a service: a provider does not see the arguments of a function."), "\(text)")
  }

  @Test("of any type differs by the service")
  func generics() {
    #expect(injector.empty()() as [Int] == [])
    #expect(injector.empty()() as [String] == [])
  }
}
