import Foundation
import Plug
import PlugFeatures
import PlugKeys
import PlugOperations
import Testing

private protocol Checkout: Sendable {}
private struct OneClick: Checkout {}
private struct Classic: Checkout {}

private struct Shopper: FeatureContext, Identifiable {
  var id = "p-17"
  var country = "DE"
  var appVersion = SemanticVersion(3, 2, 0)
  var enabledFeatures: Set<String> = []
}

private enum OneClickShare: Property {
  static var defaultValue: Double { 0 }
}

nonisolated extension Rule where Context == Shopper {
  fileprivate static var isRedesigned: Self { .redesigned }
}

nonisolated extension Rule where Context == Shopper {
  static var redesigned: Self {
    .atLeast(\.appVersion, "3.0.0")
  }
}

private protocol Job: Sendable {}
private struct MailJob: Job {}
private struct CleanUp: Job {}

private struct Entry { let title, icon: String }
private struct Document: Sendable { var isLong = false }
private protocol Exporter: Sendable {}
private struct PDFExporter: Exporter {}
private struct BookExporter: Exporter {}

private struct Account: PrivateContext {
  var email = "", country = "DE"

  static var privateProperties: [PartialKeyPath<Account>] {
    [\.email]
  }
}

private struct Assignments: AssignmentStore {
  func assignment(of identifier: String, at point: String) -> String? { "one-click" }
  func assign(_ candidate: String, to identifier: String, at point: String) {}
}

private struct Vouchers: Sendable {}
private struct Render: Sendable {}

/// The code of the guide "Choosing among implementations", as its reader would run it.
@Suite("The guide to choosing")
struct ChoosingPluginsGuideTests {
  private let services = Injector("shop")
  private let shopper = Shopper()

  private func register() throws {
    let checkout = PluginPoint<any Checkout, Shopper>("checkout") {
      Candidate("one-click") { OneClick() }
        .when(
          .atLeast(\.appVersion, "3.0.0")
            && !.equals(\.country, "XX")
            && .rollout(OneClickShare.self, of: "one-click", by: \.id))
      Candidate("classic") { Classic() }
    }
    try services.register(checkout)
  }

  @Test("lets a share grow and takes it back, while explanations say why")
  func day() throws {
    try register()
    try services.seal()
    services[OneClickShare.self] = 5
    let chosen = try services.get((any Checkout).self, in: shopper)
    #expect(chosen is Classic)
    let explanation = try services.explain((any Checkout).self, in: shopper)
    #expect(
      explanation.description == """
        Checkout in Shopper: 1 of 2 apply, selected: classic
          point checkout: open
            one-click: ruled out
              - all
                + appVersion >= 3.0.0: 3.2.0
                + not
                  - country == "XX": "DE"
                - rollout OneClickShare of "one-click" by id: "p-17" in bucket 49.07, share 5%
            classic: selected
        """)
    #expect(JSONDecoder().isRestored(explanation))
    services[OneClickShare.self] = 50
    #expect(try services.get((any Checkout).self, in: shopper) is OneClick)
    services[OneClickShare.self] = 0
    #expect(try services.get((any Checkout).self, in: shopper) is Classic)
  }

  @Test("switches a candidate off, and tells who got what")
  func switches() throws {
    try register()
    try services.seal()
    services[OneClickShare.self] = 50
    try services.disable("one-click", at: "checkout", because: "INC-7")
    #expect(try services.get((any Checkout).self, in: shopper) is Classic)
    try services.restore("one-click", at: "checkout")
    @Sendable func print(_ exposure: Exposure) {
      #expect("\(exposure)" == #"one-click at checkout for "p-17": rule"#)
    }
    let token = services.onSelection(
      of: (any Checkout).self, .once(per: \Shopper.id)
    ) { exposure in
      print(exposure)
    }
    #expect(try services.get((any Checkout).self, in: shopper) is OneClick)
    withExtendedLifetime(token) {}
  }

  @Test("lets it grow by the clock")
  func ramp() {
    let noon = Date(timeIntervalSince1970: 1_795_262_400)
    let evening = noon.addingTimeInterval(8 * 3_600)
    let rule: Rule<Shopper> =
      .ramp(from: 5, to: 100, during: noon..<evening, of: "one-click", by: \.id)
    let outcomes = [0.0, 3, 4, 8].map { hour in
      services.timestamp = .constant(noon.addingTimeInterval(hour * 3_600).timeIntervalSince1970)
      return rule.evaluate(in: shopper, from: services)
    }
    #expect(outcomes == [.unsatisfied, .unsatisfied, .satisfied, .satisfied])
  }

  @Test("divides shoppers by weight, and lets others depend on the outcome")
  func weights() throws {
    let point =
      PluginPoint<any Checkout, Shopper>("checkout") {
        Candidate("one-click") { OneClick() }.weight(20, by: \.id)
        Candidate("classic") { Classic() }.weight(80, by: \.id)
      }
    try services.register(point)
    let extras = PluginPoint<Vouchers, Shopper>("extras") {
      Candidate("vouchers") { Vouchers() }
        .when(.selected("one-click", at: "checkout"))
    }
    try services.register(extras)
    var count = 0
    for number in 0..<2_000 {
      let shopper = Shopper(id: "customer-\(number)")
      let isOneClick = try services.get((any Checkout).self, in: shopper) is OneClick
      #expect(try services.getAll(Vouchers.self, in: shopper).count == (isOneClick ? 1 : 0))
      if isOneClick { count += 1 }
    }
    #expect((340...460).contains(count))
    #expect(Rule.isRedesigned.evaluate(in: shopper) == .satisfied)
  }

  @Test("lets shoppers keep what they have seen")
  func sticky() {
    let assignments = Assignments()
    let point =
      PluginPoint<any Checkout, Shopper>("checkout") {
        Candidate("one-click") { OneClick() }.weight(20, by: \.id)
        Candidate("classic") { Classic() }.weight(80, by: \.id)
      }
      .sticky(in: assignments)
    #expect((0..<100).allSatisfy { point.first(in: Shopper(id: "p-\($0)")) is OneClick })
  }

  @Test("hides private properties in explanations")
  func privacy() {
    let trace = Rule<Account>.equals(\.email, "staff@shop.example").trace(in: Account(email: "ada@example.org"))
    #expect("\(trace)" == "- email == \"staff@shop.example\": •••")
  }

  @Test("orders candidates by their neighbours")
  func order() {
    let pipeline = PluginPoint<Render, Shopper>("pipeline") {
      Candidate("render") { Render() }.after("auth").before("log")
      Candidate("log") { Render() }
      Candidate("auth") { Render() }
    }
    #expect(pipeline.explain(in: shopper).available == ["auth", "render", "log"])
  }

  @Test("collects what modules contribute")
  func contributions() throws {
    try services.contribute(
      (any Job).self, .lazySingleton { MailJob() }, id: "mail")
    try services.contribute(
      (any Job).self, .lazySingleton { CleanUp() }, id: "cleanup")
    let jobs = try services.getAll((any Job).self)
    #expect(jobs.count == 2 && jobs[0] is MailJob && jobs[1] is CleanUp)
  }

  @Test("makes only the plugin that is picked from a menu")
  func menu() throws {
    let document = Document()
    try services.register(
      PluginPoint<any Exporter, Document>("export") {
        Candidate("pdf") { PDFExporter() }
          .metadata(Entry(title: "PDF", icon: "doc"))
        Candidate("book") { BookExporter() }.when(.is(\.isLong))
          .metadata(Entry(title: "Book", icon: "books"))
      })
    let menu = try services.candidates(
      of: (any Exporter).self, in: document)
    for item in menu where item.applies {
      print(item.metadata(Entry.self)?.title ?? item.id)
    }
    let exporter = try services.get(
      (any Exporter).self, candidate: "pdf", in: document)
    #expect(menu.map(\.applies) == [true, false] && exporter is PDFExporter)
  }
}

extension JSONDecoder {
  /// Whether an explanation is the same after it has been written and read.
  fileprivate func isRestored(_ explanation: Explanation) -> Bool {
    guard let data = try? JSONEncoder().encode(explanation) else { return false }
    return (try? decode(Explanation.self, from: data)) == explanation
  }
}
