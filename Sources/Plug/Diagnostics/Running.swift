extension Injector {
  /// The factory or configuration that the calling code belongs to, with the number of its thread or load; `nil` if the
  /// code belongs to none, or to a rule.
  package static var running: (work: UInt, registration: Registration, isConfiguring: Bool)? {
    ThreadStack.current.with { stack in
      guard let frame = stack.own.frames.last else {
        return Work.current.flatMap { work in work.trail.last.map { (work.id, $0.registration, false) } }
      }
      if frame.registration.isChoice { return nil }
      // The decorators and configurations of a loaded instance belong to the load.
      let load = stack.own.frames.count == 1 ? stack.own.load : nil
      let isOfLoad = load?.trail.last?.registration === frame.registration
      return ((isOfLoad ? load?.id : nil) ?? stack.work, frame.registration, frame.isConfiguring)
    }
  }

  /// Runs code that a construction on the calling thread has triggered but does not depend on.
  package static func apart<Result>(_ body: () -> Result) -> Result {
    let thread = ThreadStack.current
    let outer = thread.with { stack in
      let outer = stack.own
      stack.own = ResolutionStack.Own()
      (stack.own.moment, stack.own.uses) = (outer.moment, outer.uses)
      return outer
    }
    defer {
      thread.with { stack in
        let (moment, uses) = (stack.own.moment, stack.own.uses)
        stack.own = outer
        (stack.own.moment, stack.own.uses) = (moment, uses)
      }
    }
    return Work.apart(body)
  }

  /// Whether the calling thread makes anything, or belongs to a load or a closing.
  package static var isMaking: Bool { ThreadStack.current.with { !$0.own.frames.isEmpty } || Work.current != nil }

  /// The services that the calling thread is making, the outermost first.
  package static var chain: [String] { ThreadStack.current.with { stack in stack.path.map { $0.name.text } } }
}
