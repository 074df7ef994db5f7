import Foundation
import PlugTesting
import Testing

@testable import Plug
@testable import PlugKeys

private protocol Ledger: Sendable {}
private final class Book: Ledger {}
private struct Detail: Sendable {}
private struct Reader: Sendable {}
private enum Almanac: Feature { static func load(in injector: Injector) -> Detail { Detail() } }

private final class CoreRegistry: Registry {
  static func createMockShared() -> CoreRegistry { CoreRegistry() }
}

extension Injector {
  fileprivate var api: Provider<any Ledger> { provide(.lazySingleton { Book() }) }
  fileprivate var detail: Provider<Detail, Int> { provide { _, _ in Detail() } }
}

extension Injector {
  /// What the errors tell to write, with something in place of each `…`. It need not run; it has to compile.
  fileprivate func paste(_ injector: Injector, _ injected: Injected<any Ledger>, _ rule: Rule<Reader>)
    async throws
  {
    // begin
    try Injector["advice"].register((any Ledger).self, .singleton(Book()))
    try Injector["advice"].register((any Ledger).self, tag: "replica", .singleton(Book()))
    try Injector["advice"].contribute((any Ledger).self, .singleton(Book()), when: rule)
    try Injector["advice"].contribute((any Ledger).self, .singleton(Book()))
    try Injector["advice"].register(Detail.self, taking: String.self, Int.self) { _, _, _ in Detail() }
    try register((any Ledger).self, .singleton(Book()))
    try Injector["advice"].unregister(Detail.self, taking: String.self)
    try Injector["advice"].register { $0[Almanac.self] }
    _ = Injector["advice"][Almanac.self]
    _ = try Injector["advice"].get((any Ledger).self, in: Reader())
    _ = try Injector["advice"].get(Detail.self, with: 1)
    _ = try await Injector["advice"].load((any Ledger).self)
    _ = try await Injector["advice"].api.load()
    _ = try await api.load()
    try await Injector["advice"].start()
    try await start()
    _ = try await Injector["advice"].load((any Ledger).self)
    _ = try await MainActor.run { try Injector["advice"].get(Detail.self, with: 1) }
    _ = try await Injector["advice"].api.load()
    _ = try await MainActor.run { try injected.get() }
    _ = try Injector["advice"].makeScope("request").get((any Ledger).self)
    _ = try Injector["advice"].makeScope("request").api.get()
    _ = try makeScope { try $0.register((any Ledger).self, .singleton(Book())) }
    _ = makeScope("request")
    try Injector["advice"].override(\.detail) { _, _ in Detail() }
    try injector.override((any Ledger).self, .singleton(Book()))
    CoreRegistry.assignDesiredImplementation(to: CoreRegistry())
    // end
    let injections: [Injection<any Ledger>] = [
      // begin
      .lazySingleton { Book() }.configure { _, _ in },
      .singleton(Book()).configure { _, _ in },
      // end
    ]
    _ = injections
  }

  /// Uses the advice in synchronous code.
  fileprivate func paste(_ scope: Injector) {
    // begin
    _ = scope.run { Book() }
    _ = withScope { _ in Book() }
    // end
  }
}

@Suite("The code that an error suggests")
struct AdviceCodeTests {
  private static let ledger = Key((any Ledger).self)
  private static let detail = Key(ArgumentsKey<Detail, String, Int>.self)

  private static func facts(
    _ key: Key = ledger, in injector: Injector = Injector("advice"),
    _ change: (inout InjectorError.Facts) -> Void = { _ in }
  ) -> InjectorError.Facts {
    var facts = InjectorError.Facts(about: key, in: injector)
    change(&facts)
    return facts
  }

  private static var provider: Key {
    let provider = Injector("advice").api
    return Key(ProviderKey<any Ledger>.self, provider.name.tag)
  }

  /// Every error whose advice has code, in every form.
  private static var errors: [any CustomStringConvertible] {
    let unnamed = Injector()
    let explanation = Explanation(subject: "Ledger", context: "Reader", elements: [])
    let errors: [InjectorError] = [
      .notRegistered(facts()),
      .notRegistered(facts(Key((any Ledger).self, "replica"))),
      .notRegistered(facts(in: unnamed)),
      .notRegistered(facts(detail)),
      .notRegistered(facts(Key(Almanac.self))),
      .notRegistered(facts(detail) { $0[.isOverride] = true }),
      .notRegistered(
        facts {
          $0.values.registeredAt = CodeLocation(fileID: "Shop/Services.swift", line: 1)
          $0[.isPlaceholder] = true
        }),
      .alreadyRegistered(facts()),
      .alreadyRegistered(InjectorError.Facts(about: ledger, candidate: "new", in: Injector("advice"))),
      .noCandidate(facts(), explanation),
      .contextMissing(facts(), context: "Reader"),
      .argumentsMismatch(facts(Key(Detail.self)), expected: [["Int"]], found: []),
      .argumentsMismatch(facts(Key(Detail.self)) { $0[.isRemoval] = true }, expected: [["Int"]], found: []),
      .mainActorRequired(facts()),
      .mainActorRequired(facts(detail) { $0[.isMadeOnce] = true }),
      .mainActorRequired(facts(provider)),
      .mainActorRequired(facts { $0.values.expression = "injected.get()" }),
      .notLoaded(facts()),
      .notLoaded(facts(provider)),
      .notLoaded(facts(provider, in: unnamed)),
      .closed(facts()),
      .currentMissing(facts()),
      .scopeRequired(facts()),
      .scopeRequired(facts(provider)),
      .lifetimeUnsupported(facts { $0.values.refusal = .cannotBeIsolated }, lifetime: .singleton),
    ]
    return errors + [
      UnassignedRegistries(names: ["CoreRegistry"], count: 1, vendedMocks: []), RegistryMock(registry: "CoreRegistry"),
    ]
  }

  /// The code in what an error says to do: what stands behind the colon, and between the conjunctions.
  private static func code(in error: any CustomStringConvertible) -> [String] {
    error.description.components(separatedBy: "\n  - ").dropFirst().flatMap { action in
      action.components(separatedBy: ": ").dropFirst().joined(separator: ": ")
        .replacing(#/, (or|not|then) /#, with: "\n").split(separator: "\n")
        .map { $0.hasSuffix(".") ? String($0.dropLast()) : String($0) }
    }.filter { $0.hasSuffix(")") && $0.contains("(") || $0.hasSuffix("}") || $0.hasSuffix("]") }
  }

  /// Whether a line is what the code says, with anything in place of each `…`.
  private static func matches(_ line: String, _ code: String) -> Bool {
    let parts = code.components(separatedBy: "…")
    var rest = line[...]
    guard let first = parts.first, let last = parts.last, line.hasPrefix(first), line.hasSuffix(last) else {
      return false
    }
    for part in parts {
      guard let range = part.isEmpty ? rest.startIndex..<rest.startIndex : rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  @Test("compiles: each snippet appears in this file, with a value instead of each …")
  func compiles() throws {
    var lines: [String] = []
    var isPasted = false
    for line in try String(contentsOfFile: #filePath, encoding: .utf8).components(separatedBy: "\n") {
      let line = line.trimmingCharacters(in: [" ", ","])
      if line == "// begin" || line == "// end" {
        isPasted = line == "// begin"
      } else if isPasted {
        lines.append(line.hasPrefix("_ = ") ? String(line.dropFirst(4)) : line)
      }
    }
    let pieces = Set(Self.errors.flatMap(Self.code))
    #expect(pieces.filter { piece in !lines.contains { Self.matches($0, piece) } }.sorted() == [])
    #expect(lines.filter { line in !pieces.contains { Self.matches(line, $0) } } == [])
  }
}
