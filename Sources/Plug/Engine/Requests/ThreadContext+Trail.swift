extension ThreadContext {
  /// What an injector gets that is created now.
  static func makeIdentity() -> Injector.Identity {
    unsafe ThreadLocalContext.context._withUnsafeGuaranteedRef { $0.makeIdentity() }
  }

  /// The names of the steps that have led the calling code to something, with that at the end.
  static func chain(to name: String) -> [String] {
    let chain = chain
    return chain.last == name ? chain : chain + [name]
  }

  /// The names of the steps that the calling code is in, of its task and of its thread.
  static var chain: [String] { way.map(\.text) }

  static var way: [ServiceName] {
    ((LoadContext.current?.steps ?? []) + current.ownTrail).map(\.declaration.serviceName)
  }

  /// The steps from the outermost to the innermost, after those of the load that the calling code belongs to: an
  /// instance that is being loaded is a step of its own when it is configured.
  var ownTrail: [ResolutionStep] {
    let trail = trail
    return trail.first === LoadContext.current?.cell ? Array(trail.dropFirst()) : trail
  }

  /// How deep the injector lies that keeps what this thread is making, the least deep of all; the deepest if it makes
  /// nothing that is kept.
  var lowestKeeper: Int32 { unsafe depth == 0 ? .max : frames[depth - 1].lowestKeeper }

  /// Whether nothing is being made here, nor loaded, that is kept less deep than at `limit`. It may be so all the same
  /// if this says no.
  func isWithin(_ limit: Int32) -> Bool { lowestKeeper >= limit && TaskGraph.inheritedWork == nil }

  /// The steps from the innermost one whose instance is kept less deep than at `depth`, to the current one.
  ///
  /// - Parameter scope: The scope at `depth`: what was under construction when it was opened may use it.
  func trail(fromKeeperAbove limit: Int32, since scope: Injector) -> [ResolutionStep]? {
    trailOnThread(fromKeeperAbove: limit, since: scope.moment(on: self))
      ?? LoadContext.current?.steps(fromKeeperAbove: limit, since: scope.openingLoads).map { $0 + ownTrail }
  }

  private func trailOnThread(fromKeeperAbove limit: Int32, since moment: UInt) -> [ResolutionStep]? {
    var level = depth
    while level > 0 {
      level -= 1
      if unsafe hasBegun(frames[level].moment, before: moment) { return nil }
      if let history = unsafe frames[level].history?.takeUnretainedValue() {
        guard let keeper = history.keeper(above: limit, since: moment) else { return nil }
        return trail.drop { $0 !== keeper }.map(\.self)
      }
      if unsafe frames[level].keeper < limit { return trail.suffix(depth - level) }
    }
    return nil
  }

  /// The steps from the outermost to the innermost.
  var trail: [ResolutionStep] {
    var steps: [ResolutionStep] = []
    for level in (0..<depth).reversed() {
      if let history = unsafe frames[level].history {
        steps += unsafe history.takeUnretainedValue().steps
        break
      }
      unsafe steps.append(frames[level].step.takeUnretainedValue())
    }
    return steps.reversed()
  }

  /// Whether the step stands on this thread's stack, or twice in the history of what is being configured.
  ///
  /// A configuration may make another instance of what led to it, because the one that is shared within the request may
  /// exist by then and end the circle. If it did not the first time, it never will.
  func isRunning(_ step: Unmanaged<ResolutionStep>) -> Bool {
    var level = depth
    while level > 0 {
      level -= 1
      if unsafe frames[level].isConfiguring, let history = unsafe frames[level].history {
        return unsafe history.takeUnretainedValue().hasTwice(step)
      }
      if unsafe frames[level].step.toOpaque() == step.toOpaque() { return true }
    }
    return false
  }

  /// The trail in a form that outlives its frames, shared between those who ask on the same levels.
  func makeHistory() -> History? {
    var level = depth
    while level > 0, unsafe frames[level - 1].history == nil { level -= 1 }
    var history = level > 0 ? unsafe frames[level - 1].history?.takeUnretainedValue() : nil
    let round = (history?.round ?? 0) + (unsafe level > 0 && frames[level - 1].isConfiguring ? 1 : 0)
    while level < depth {
      let extended = unsafe History(
        step: frames[level].step.takeUnretainedValue(), moment: frames[level].moment, keeper: frames[level].keeper,
        parent: history, round: round)
      unsafe frames[level].history = unsafe Unmanaged.passRetained(extended)
      history = extended
      level += 1
    }
    return history
  }

  func circularDependency(through step: ResolutionStep, in injector: Injector) -> InjectorError {
    let trail = trail
    let path = trail[(trail.lastIndex { $0 === step } ?? 0)...] + [step]
    return .circularDependency(
      InjectorError.Facts(about: step.declaration, in: injector), path: path.map(\.declaration.name))
  }

  @inline(never)
  func depthExceeded(by step: ResolutionStep, in injector: Injector) -> InjectorError {
    .depthExceeded(InjectorError.Facts(about: step.declaration, in: injector), depth: trail.count)
  }
}

/// Whether a step was under way when an injector was created.
///
/// - Parameter first: When an injector was created for the first time while it was; 0 if none has been.
private func hasBegun(_ first: UInt, before moment: UInt) -> Bool { first != 0 && first <= moment }

/// The steps that led to an instance, kept until its configuration has run.
final class History: Sendable {
  let step: ResolutionStep
  let parent: History?
  private let moment: UInt
  private let keeper: Int32

  /// How many configurations led here, each of what the one before has made.
  let round: Int

  /// How many there may be: one that needs itself in ever new scopes must end.
  static let roundLimit = 1_000

  init(step: ResolutionStep, moment: UInt, keeper: Int32, parent: History?, round: Int) {
    self.step = step
    self.moment = moment
    self.keeper = keeper
    self.parent = parent
    self.round = round
  }

  /// The innermost step whose instance is kept less deep than at `limit`, of those that began after a moment.
  func keeper(above limit: Int32, since moment: UInt) -> ResolutionStep? {
    var node: History? = self
    while let current = node, !hasBegun(current.moment, before: moment) {
      if current.keeper < limit { return current.step }
      node = current.parent
    }
    return nil
  }

  /// From the innermost to the outermost.
  var steps: UnfoldFirstSequence<ResolutionStep> {
    var node: History? = self
    return sequence(first: step) { _ in
      node = node?.parent
      return node?.step
    }
  }

  @inline(never)
  func hasTwice(_ step: Unmanaged<ResolutionStep>) -> Bool {
    steps.lazy.filter { unsafe Unmanaged.passUnretained($0).toOpaque() == step.toOpaque() }.dropFirst().first != nil
  }
}
