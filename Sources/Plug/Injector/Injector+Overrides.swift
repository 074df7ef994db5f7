extension Injector {
  /// Replaces all that is registered for a service in an isolated test, sealed or not.
  package func replaceAll<Service: Sendable>(
    of type: Service.Type, tag: Tag?, by injection: Injection<Service>, at site: CodeLocation
  ) throws(InjectorError) {
    let injector = try isolatedForChange(of: type, tag: tag)
    let cell = injection.makeCell(Subject(type, tag: tag, site: site))
    try injector.check(cell)
    try injector.changing(type, tag: tag, ignoringSeal: true) { _ throws(Refusal) in cell }
  }

  /// The private copy.
  ///
  /// - Throws: ``InjectorError/notIsolated(_:)`` if no test is isolated.
  package func isolatedForChange(of key: any Any.Type, tag: Tag? = nil) throws(InjectorError) -> Injector {
    let injector = isolated()
    if injector.isPrivate { return injector }
    throw .notIsolated(InjectorError.Facts(service: key, tag: tag, in: self))
  }

  /// Lets a candidate of a point always win, or never, in an isolated test, sealed or not.
  ///
  /// - Parameter point: The id of a point around it, or the name of the service.
  package func change(candidate id: String, at point: String, to verdict: Verdict) throws(InjectorError) {
    let injector = isolated()
    guard injector.isPrivate else {
      throw .notIsolated(InjectorError.Facts(candidate: id, at: point, in: self))
    }
    for level in sequence(first: injector, next: \.parent) {
      let changes = level.registrations.entries.compactMap { entry in
        entry.changing(candidate: id, at: point, to: verdict).map { (entry.key, $0) }
      }
      for (key, changed) in changes {
        try level.reportingRefusal(key.service, tag: key.tag, candidate: id) { () throws(Refusal) in
          try level.registrations.replace(key, by: changed, ignoringSeal: true)
        }
      }
      if !changes.isEmpty { return }
    }
    var facts = InjectorError.Facts(candidate: id, at: point, in: injector)
    let candidates = sequence(first: injector.registrations, next: \.parent).flatMap(\.entries).flatMap { entry in
      entry.candidatePaths.map { InjectorError.Neighbor(name: $0, registeredAt: entry.site) }
    }
    facts.nearest = Spelling.nearest(to: "\(id) at \(point)", among: candidates.map(\.name)).map { candidates[$0] }
    throw .notRegistered(facts)
  }

  /// The requests that the calling thread is in, from the outermost to the innermost.
  package static var chain: [String] { ThreadContext.current.trail.map(\.subject.name) }
}

extension InjectorError.Facts {
  /// The facts about a candidate of a point, whatever its service.
  fileprivate init(candidate: String, at point: String, in injector: Injector) {
    self.init(name: candidate, .candidate, injector: injector.path, registeredAt: nil)
    self.point = point
  }
}
