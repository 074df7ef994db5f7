import Plug

/// The most recent choices of candidates in an isolated test.
final class SelectionLog: ChoiceHooks {
  /// One choice.
  private struct Entry: Sendable {
    let service: Key
    let injector: Injector
    let candidate: String
    let context: any Sendable
  }

  private static let limit = 16

  private let entries = Guarded<[Entry]>([])

  func note(_ event: ChoiceEvent, in injector: Injector) {
    guard case .given(let choice) = event else { return }
    let entry = Entry(
      service: choice.service.key, injector: injector, candidate: choice.candidate.id, context: choice.context.copy)
    let oldest = entries.withLock { entries -> Entry? in
      entries.append(entry)
      return entries.count > Self.limit ? entries.removeFirst() : nil
    }
    withExtendedLifetime(oldest) {}
  }

  /// The selections and their explanations. The rules are evaluated again for the explanations.
  var text: String {
    entries.withLock { $0.map(\.self) }.map { entry in
      let context = ContextReference(copying: entry.context)
      let cell = try? entry.injector.existingCell(of: entry.service)
      let explanation = cell.flatMap { try? entry.injector.explanation(of: $0, in: context) }
      let injector = entry.injector.path.map { " (\($0))" } ?? ""
      let headline = "Selected \(entry.candidate) for \(entry.service.text)\(injector)"
      return headline + (explanation.map { "\n\($0)" } ?? "")
    }.joined(separator: "\n\n")
  }
}
