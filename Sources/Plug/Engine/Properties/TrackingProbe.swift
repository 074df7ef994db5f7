#if !canImport(Darwin)
  import Observation
  import Synchronization

  /// Tells whether Swift's Observation follows what the calling thread reads: an `ObservationRegistrar` is told of each
  /// read, but hashes the key path only if it is followed, and the subscript of this one notes that.
  ///
  /// A probe that has been noted is part of an observation from then on. A registrar ends its observations when it
  /// goes, so the probe is kept by what else has been read, and each thread goes on with another.
  ///
  /// How the registrar works is not documented, so this is used only where the tests run.
  final class TrackingProbe: Observable, Sendable {
    /// What the key path contains.
    private final class Mark: Hashable, Sendable {
      let isHashed = Atomic(false)

      static func == (left: Mark, right: Mark) -> Bool { left === right }

      func hash(into hasher: inout Hasher) {
        isHashed.store(true, ordering: .relaxed)
        hasher.combine(ObjectIdentifier(self))
      }
    }

    private let mark: Mark
    private let path: any KeyPath<TrackingProbe, Void> & Sendable
    private let registrar = ObservationRegistrar()

    fileprivate init() {
      mark = Mark()
      path = \.[mark]
    }

    private subscript(mark: Mark) -> Void { () }

    /// Asks for the calling thread. What is noted stays until it is taken.
    static var isFollowed: Bool {
      unsafe ThreadLocalContext.context._withUnsafeGuaranteedRef { context in
        // Nobody takes it out meanwhile: the registrar runs no code of others.
        unsafe Unmanaged.passUnretained(context.probe)._withUnsafeGuaranteedRef { probe in
          probe.registrar.access(probe, keyPath: probe.path)
          return probe.mark.isHashed.load(ordering: .relaxed)
        }
      }
    }

    /// Asks for the calling thread.
    ///
    /// - Returns: What has been noted, to be kept as long as what is about to be read; `nil` if nothing follows.
    static func take() -> TrackingProbe? {
      if !isFollowed { return nil }
      return unsafe ThreadLocalContext.context._withUnsafeGuaranteedRef { context in
        defer { context.probeObject = nil }
        return context.probe
      }
    }
  }

  extension ThreadContext {
    /// Soundness of the cast: nothing else is stored there.
    fileprivate var probe: TrackingProbe {
      if let probeObject { return unsafe unsafeDowncast(probeObject, to: TrackingProbe.self) }
      let probe = TrackingProbe()
      probeObject = probe
      return probe
    }
  }
#endif
