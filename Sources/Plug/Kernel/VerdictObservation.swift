/// Tells when hooks of an injector, or of one around it, decide otherwise about candidates. Requests are not slower for
/// that.
package final class VerdictObservation: Sendable {
  fileprivate final class List: Sendable {
    let observations = Guarded<[VerdictObservation]>([])
  }

  private let notify: @Sendable () -> Void
  private let lists: [List]

  fileprivate init(in lists: [List], _ notify: @escaping @Sendable () -> Void) {
    (self.lists, self.notify) = (lists, notify)
    for list in lists { list.observations.withLock { $0.append(self) } }
  }

  package func end() {
    for list in lists {
      let old = list.observations.withLock { observations in
        let old = observations
        observations.removeAll { $0 === self }
        return old
      }
      withExtendedLifetime(old) {}
    }
  }

  fileprivate func tell() { notify() }
}

extension Injector {
  /// Observes what decides about candidates here.
  ///
  /// - Parameter notify: Is called on the thread that decides otherwise. It must not hold this injector.
  package func observeVerdicts(_ notify: @escaping @Sendable () -> Void) -> VerdictObservation {
    let lists = levels.compactMap { level in
      level.updateAttachment(VerdictObservation.List.self) { $0 ?? VerdictObservation.List() }
    }
    return VerdictObservation(in: lists, notify)
  }

  /// A hook of this injector decides otherwise from now on.
  package func verdictsHaveChanged() {
    for one in attachment(VerdictObservation.List.self)?.observations.withLock({ $0 }) ?? [] { one.tell() }
  }
}
