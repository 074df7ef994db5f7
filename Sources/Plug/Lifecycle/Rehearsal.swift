import Synchronization

/// What has come of making everything that is registered once.
package struct Rehearsal: Sendable {
  /// What could not be made, and why.
  package fileprivate(set) var failures: [InjectorError] = []

  /// What has not been tried, and why.
  package private(set) var omissions: [(subject: String, reason: String)] = []

  private let contexts: [any Sendable]
  private let arguments: [any Sendable]

  /// Makes everything that an injector can give, in the order of its names.
  fileprivate init(of injector: Injector, in contexts: [any Sendable], with arguments: [any Sendable]) async {
    self.contexts = contexts
    self.arguments = arguments
    if injector.registrations.isClosed { failures = [injector.closed(InjectorError.Facts(aboutWhole: injector))] }
    for registered in injector.visibleEntries.sorted(by: { $0.key.name < $1.key.name }) {
      let entry = injector.overlaid(registered, registeredAt: registered.level.load(ordering: .relaxed))
      if let choice = entry as? any CandidateChoice {
        await make(choice, for: injector)
      } else {
        for part in entry.parts { await make(part, for: injector) }
      }
    }
  }

  /// Makes the candidates that apply in the contexts that are given; in the registered one, if none is.
  private mutating func make(_ choice: any CandidateChoice, for injector: Injector) async {
    var (applying, isDecided): ([any EntryPart], Bool) = ([], false)
    do throws(InjectorError) {
      for context in contexts {
        guard let parts = try await candidates(of: choice, in: context, for: injector) else { continue }
        applying += parts
        isDecided = true
      }
      if !isDecided { applying = try await candidates(of: choice, in: nil, for: injector) ?? [] }
    } catch .contextMissing(_, let context) where !isDecided {
      return omit(choice.parts, because: "no \(context) was given")
    } catch {
      return failures.append(error)
    }
    var settled: Set<ObjectIdentifier> = []
    for part in applying where settled.insert(ObjectIdentifier(part)).inserted { await make(part, for: injector) }
    settled.formUnion(choice.excluded(for: injector).map(ObjectIdentifier.init))
    omit(choice.parts.filter { !settled.contains(ObjectIdentifier($0)) }, because: "its rules are not satisfied")
  }

  private func candidates(
    of choice: any CandidateChoice, in context: (any Sendable)?, for injector: Injector
  ) async throws(InjectorError) -> [any EntryPart]? {
    try await injector.answering { injector throws(InjectorError) in try choice.applying(in: context, for: injector) }
  }

  private mutating func make(_ part: any EntryPart, for injector: Injector) async {
    do throws(InjectorError) {
      if let missing = try await part.rehearse(for: injector, with: arguments) {
        omit([part], because: "no \(missing) was given")
      }
    } catch {
      failures.append(error)
    }
  }

  private mutating func omit(_ parts: [any EntryPart], because reason: String) {
    omissions += parts.map { ($0.declaration.name, reason) }
  }
}

extension Injector {
  /// Makes everything that is registered here and further out once, as requests do.
  ///
  /// Scoped instances are made in a scope that is opened for that, unless this is a scope itself.
  ///
  /// - Parameters:
  ///   - contexts: The contexts that choose among candidates.
  ///   - arguments: The arguments that services are made from.
  package func rehearse(
    in contexts: [any Sendable], with arguments: [any Sendable], fileID: StaticString, line: UInt
  ) async -> Rehearsal {
    let injector = isolated()
    if injector.isScope { return await Rehearsal(of: injector, in: contexts, with: arguments) }
    let scope = injector.makeScope("complete", fileID: fileID, line: line)
    var rehearsal = await Rehearsal(of: scope, in: contexts, with: arguments)
    rehearsal.failures += await scope.close()
    return rehearsal
  }
}
