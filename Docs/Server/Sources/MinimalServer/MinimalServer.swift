import Hummingbird
import Plug

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
}

/// The text of the response to a request, made once for each request.
struct Answer: Sendable {
  let text: String
}

let app = Injector("greeter") { app in
  try app.register(Injection<Visitor>.providedByScope)
  try app.register(
    PluginPoint<any Greeter, Visitor>("greeter") {
      Candidate("german") { German() }.when(.equals(\.language, "de"))
      Candidate("english") { English() }
    })
  try app.register(
    .scoped(wiring: { (greeter: any Greeter, visitor: Visitor) in
      Answer(text: greeter.greeting(for: visitor))
    }))
}

/// Handles each request in a scope, which is closed when the request has been answered.
struct RequestScopes<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let visitor = Visitor(
      name: request.uri.queryParameters["name"].map(String.init) ?? "stranger",
      language: request.headers[.acceptLanguage].map { String($0.prefix(2)) })
    return try await app.withScope("request") { scope in
      try scope.register(.singleton(visitor))
      return try await next(request, context)
    }
  }
}

func makeServer(port: Int) -> some ApplicationProtocol {
  let router = Router()
  router.add(middleware: RequestScopes())
  router.get { _, _ in try Injector[.current].get(Answer.self).text }
  return Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
}

@main
struct Program {
  static func main() async throws {
    try await makeServer(port: 8080).runService()
  }
}
