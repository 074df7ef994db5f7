import Plug
import PlugKeys
import PlugOperations
import Shop

/// Reports and explanations to show in a browser, some of which attack the page.
enum PageDocuments {
  static func all() async throws -> [(name: String, document: any Encodable)] {
    let shop = try shop()
    let choices = shop.rememberSelections(by: \Shopper.id)
    let scope = shop.makeScope("request")
    _ = try scope.get((any Shipping).self, in: shopper)
    _ = try scope.get((any Payment).self, tag: "refund", in: shopper)
    defer { choices.cancel() }
    let hostile = try hostile(count: 10_000)
    return [
      ("report", shop.report()),
      ("explanations", shop.explainAll(in: shopper)),
      ("hostile-report", hostile.report()),
      ("hostile-explanation", try hostile.explain((any Shipping).self, in: shopper)),
      ("long", try long().report()),
      ("circle", try circle().report()),
      ("empty", Injector().report()),
      ("loading", try await loading()),
      ("closing", try await closing()),
    ]
  }

  private static let shopper = Shopper(id: "ada", country: "DE", appVersion: SemanticVersion(3, 1, 0), tier: .gold)

  /// The shop in trouble: a candidate is disabled, and another one quarantined.
  private static func shop() throws -> Injector {
    let services = try TestShop { try $0.install(Refunds.self) }.services
    try services.disable("courier", at: "shipping", because: "INC-7: couriers are <late>", since: 1_795_317_125)
    return services
  }

  private enum Refunds: InjectorModule {
    static func register(in injector: Injector) throws {
      try injector.register(
        PluginPoint<any Payment, Shopper>("refund") {
          Candidate("instant", .factory { throw NoAnswer() })
            .onFailure(.quarantine(after: 1, for: .seconds(60)))
          Candidate("transfer", .factory { CardPayment() })
        }, tag: "refund")
    }
  }

  private static func loading() async throws -> InjectorReport {
    let (services, halt) = (Injector("loading"), Halt())
    try services.register(
      .lazySingleton { () async -> Int in
        await halt.wait()
        return 0
      })
    async let loaded = services.load(Int.self)
    let report = await halt.reached { services.report() }
    _ = try await loaded
    return report
  }

  private static func closing() async throws -> InjectorReport {
    let (services, halt) = (Injector("closing"), Halt())
    try services.register(.lazySingleton { 0 }.onClose { _ in await halt.wait() })
    _ = try services.get(Int.self)
    async let failures = services.close()
    let report = await halt.reached { services.report() }
    _ = await failures
    return report
  }

  /// A point where one task waits until another has made a report.
  private struct Halt: Sendable {
    private let arrivals = AsyncStream<Void>.makeStream()
    private let departure = AsyncStream<Void>.makeStream()

    func wait() async {
      arrivals.continuation.yield()
      for await _ in departure.stream {}
    }

    func reached<Value>(_ look: () -> Value) async -> Value {
      defer { departure.continuation.finish() }
      _ = await arrivals.stream.first { _ in true }
      return look()
    }
  }

  private struct NoAnswer: Error, CustomStringConvertible {
    let description = "The bank does not answer."
  }

  /// Names that would run code or hide text if the page did not treat them as text.
  private static let names = [
    #"<script>document.title = "run"</script>"#, #"<img src=x onerror='document.title = "run"'>"#,
    #"</script></textarea></title><svg/onload="document.title = 'run'">"#, #""quoted" & 'quoted' &amp; &lt;"#,
    "\u{202E}desrever\u{202C}", "nothing\u{0}\u{200B}\u{FEFF}", "שלום", "👩‍💻", "line\nbreak", "__proto__",
  ]

  private static func name(_ number: Int) -> String { "\(names[number % names.count]) \(number)" }

  private static func hostile(count: Int) throws -> Injector {
    let services = Injector(Injector.Name(rawValue: names[0]))
    try services.register(
      PluginPoint<any Shipping, Shopper>(names[1]) {
        for group in 0..<count / 100 {
          PluginPoint(name(group), when: group == 0 ? .never : .always) {
            for number in group * 100..<(group + 1) * 100 {
              Candidate(name(number), .factory { ParcelShipping() })
                .when(number == count - 1 ? .always : .oneOf(\.country, [name(number)]))
            }
          }
        }
      })
    try services.disable(name(200), at: name(2), because: names[2], since: 0)
    return services
  }

  private static func long() throws -> Injector {
    let services = Injector(Injector.Name(rawValue: String(repeating: "long ", count: 20_000)))
    let name = String(repeating: "x", count: 100_000)
    try services.register(PluginPoint<Int, Shopper>(name) { Candidate(name, .factory { 0 }) })
    try services.disable(name, at: name, because: String(repeating: "<b>", count: 30_000))
    return services
  }

  /// A chain of services with more cycles than one picture shows.
  private static func circle() throws -> Injector {
    let services = Injector("circle")
    for number in 0..<200 {
      let injection = Injection<Int>.factory { number }
        .depends(on: Int.self, tag: tag((number + 1) % 200))
        .depends(on: Int.self, tag: tag(number / 2))
      try services.register(tag: tag(number), injection)
    }
    return services
  }

  private static func tag(_ number: Int) -> Injector.Tag { Injector.Tag(rawValue: "\(number)") }
}
