package import Plug

/// An observation of changed verdicts on candidates, by hooks of an injector or of its parents. It does not slow
/// requests down.
package final class VerdictObservation: Sendable {
  fileprivate final class List: Attachment {
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
  /// Observes changes of the verdicts on candidates here.
  ///
  /// - Parameter notify: Called on the thread that changes a verdict. It must not hold this injector.
  package func observeVerdicts(_ notify: @escaping @Sendable () -> Void) -> VerdictObservation {
    let lists = levels.compactMap { level in
      level.updateAttachment(VerdictObservation.List.self) { $0 ?? VerdictObservation.List() }
    }
    return VerdictObservation(in: lists, notify)
  }

  /// Notifies observers that a hook of this injector has changed its verdicts.
  package func verdictsHaveChanged() {
    for one in attachment(VerdictObservation.List.self)?.observations.withLock({ $0 }) ?? [] { one.tell() }
  }
}
