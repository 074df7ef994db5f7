import Hummingbird
import HummingbirdCore
import Plug
import PlugHummingbird
import PlugServiceLifecycle
import Synchronization

protocol Greeter: Sendable {
  func greeting(for visitor: Visitor) -> String
}

struct English: Greeter {
  func greeting(for visitor: Visitor) -> String { "Hello, \(visitor.name)" }
}

struct German: Greeter {
  func greeting(for visitor: Visitor) -> String { "Hallo, \(visitor.name)" }
}

/// The sender of a request: the context of the rules.
struct Visitor: Sendable {
  let name: String
  let language: String?

  init(_ request: HTTPRequest) {
    name = URI(request.path ?? "").queryParameters["name"].map(String.init) ?? "stranger"
    language = request.headerFields[.acceptLanguage].map { String($0.prefix(2)) }
  }
}

/// Counts the visits. It stands for a database, which opens before the first request and closes after the last.
final class Guestbook: Sendable {
  private let visits = Mutex(0)

  func sign() { visits.withLock { $0 += 1 } }

  func close() { print("closed after \(visits.withLock { $0 }) visits") }
}

/// The text of the response to a request, made once for each request.
struct Answer: Sendable {
  let text: String

  init(greeter: any Greeter, visitor: Visitor, guestbook: Guestbook) {
    guestbook.sign()
    text = greeter.greeting(for: visitor)
  }
}

let app = Injector("greeter") { app in
  try app.register(.lazySingleton { Guestbook() }.eager().onClose { $0.close() })
  try app.register(Injection<Visitor>.providedByScope)
  try app.register(
    PluginPoint<any Greeter, Visitor>("greeter") {
      Candidate("german") { German() }.when(.equals(\.language, "de"))
      Candidate("english") { English() }
    })
  try app.register(.scoped(wiring: Answer.init))
}

/// Each request has a scope, which is closed after the last byte of the response.
func makeServer(port: Int) -> some ApplicationProtocol {
  let router = Router()
  router.get { _, _ in try Injector.request.get(Answer.self).text }
  return Application(
    router: router,
    server: .http1(scopesOf: app) { scope, request in
      try scope.register(.singleton(Visitor(request)))
    },
    configuration: .init(address: .hostname("127.0.0.1", port: port)))
}

@main
struct Program {
  /// Runs until SIGTERM or SIGINT, and closes the services after the last request.
  static func main() async throws {
    let port = Environment().get("PORT", as: Int.self) ?? 8080
    try await InjectorService(injector: app, service: makeServer(port: port)).runService()
  }
}
