import Plug
import TestSupport
import Testing

private protocol Job: Sendable {}
private struct Numbered: Job { let number: Int }
private struct Counted: Job { let inner: any Job }

@Suite("Registrations that several threads change at once")
struct RegistrationRaceTests {
  @Test("lose no candidate while a point is registered, a service is decorated, and others are removed")
  func candidates() throws {
    try race(
      threads: 8, rounds: 200,
      makeSubject: { _ in
        let app = Injector(allowRewrite: true)
        try app.contribute((any Job).self, .lazySingleton { Numbered(number: -1) }, id: "first")
        return app
      },
      body: { app, thread in
        switch thread {
        case 0:
          _ = try? app.register(
            PluginPoint<any Job, Injector>("jobs") { Candidate("point", .factory { Numbered(number: 100) }) })
        case 1: _ = try? app.decorate((any Job).self) { inner, _ in Counted(inner: inner) }
        case 2: _ = try? app.register(as: (any Job).self, injectable: .factory { Numbered(number: 200) })
        case 3: _ = try? app.unregister((any Job).self, candidate: "first")
        default:
          for number in 0..<4 {
            let id = "\(thread).\(number)"
            _ = try? app.contribute((any Job).self, .lazySingleton { Numbered(number: thread) }, id: id)
          }
        }
      },
      check: { app, _ in
        let ids = try Set(app.get([String: any Job].self).keys)
        let added = (4..<8).flatMap { thread in (0..<4).map { "\(thread).\($0)" } }
        #expect(ids == Set(added + ["point", "default"]))
      })
  }
}
