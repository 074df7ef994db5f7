/// What one thread is resolving right now.
///
/// Soundness of the unchecked conformance: `top`, `deferred`, `assembly` and `sessionDepth` are touched by their own thread only.
/// `waitingFor` is touched under `WaitGraph.lock` only. Other threads walk the frames below `top` only under that
/// lock while `waitingFor` is set, when this thread sleeps and its frames stand still.
@safe final class ThreadContext: @unchecked Sendable {
  /// The innermost step; `nil` when this thread resolves nothing.
  private(set) var top: UnsafeMutablePointer<Frame>?

  /// Configurations of instances that this session has made, in the order in which they were made.
  var deferred: [Deferred] = []

  /// The instances that nobody else may see yet; `nil` while there are none.
  var assembly: Assembly?

  var waitingFor: Construction?
  let parker = Parker()
  private let stackLimit = StackBounds.limit()

  static var current: ThreadContext { ThreadSlot.context }

  /// How many requests for instances this thread is in, one inside of the other.
  private var sessionDepth = 0

  /// Whether the current request comes from a factory or a configuration of another.
  var isNested: Bool { sessionDepth > 1 }

  /// One level of a resolution, on the stack of its thread.
  ///
  /// Soundness of the unowned reference: whoever pushes a frame holds its step until the frame is popped.
  @unsafe struct Frame {
    unowned(unsafe) let step: Step
    let parent: UnsafeMutablePointer<Frame>?
    /// This step and those that led to it: given while a configuration runs, else made when one is put off.
    var history: History?
  }

  /// Runs `body` one level deeper.
  ///
  /// - Throws: ``InjectorError/depthExceeded(_:depth:)`` when the stack has no room for another level.
  func push<Result>(
    _ step: Step, history: History? = nil, in injector: Injector, _ body: () throws(InjectorError) -> Result
  ) throws(InjectorError) -> Result {
    var frame = unsafe Frame(step: step, parent: top, history: history)
    return try unsafe withUnsafeMutablePointer(to: &frame) { pointer throws(InjectorError) in
      guard UInt(bitPattern: pointer) > stackLimit else {
        throw .depthExceeded(InjectorError.Facts(about: step.subject, in: injector), depth: trail.count)
      }
      unsafe top = unsafe pointer
      defer { unsafe top = unsafe pointer.pointee.parent }
      return try body()
    }
  }

  /// Runs a request for an instance: as a part of this thread's session, or as a whole session if there is none.
  func session<Value>(_ body: () throws(InjectorError) -> Value) throws(InjectorError) -> Value {
    sessionDepth += 1
    defer { sessionDepth -= 1 }
    if isNested { return try body() }
    let result = Result { () throws(InjectorError) in try body() }
    if assembly != nil || !deferred.isEmpty {
      let failure = finishSession()
      if case .success = result, let failure { throw failure }
    }
    return try result.get()
  }

  /// The steps from the outermost to the innermost.
  var trail: [Step] {
    var steps: [Step] = []
    var frame = unsafe top
    while let pointer = unsafe frame {
      if let history = unsafe pointer.pointee.history {
        steps += history.steps
        break
      }
      unsafe steps.append(pointer.pointee.step)
      unsafe frame = unsafe pointer.pointee.parent
    }
    return steps.reversed()
  }

  /// Whether the step stands on this thread's stack or in the history of what is being configured.
  func isRunning(_ step: Step) -> Bool {
    var frame = unsafe top
    while let pointer = unsafe frame {
      if let history = unsafe pointer.pointee.history { return history.steps.contains { $0 === step } }
      if unsafe pointer.pointee.step === step { return true }
      unsafe frame = unsafe pointer.pointee.parent
    }
    return false
  }

  /// The trail in a form that outlives its frames, shared between those who ask on the same levels.
  func makeHistory() -> History? {
    var missing: [UnsafeMutablePointer<Frame>] = unsafe []
    var frame = unsafe top
    while let pointer = unsafe frame, unsafe pointer.pointee.history == nil {
      unsafe missing.append(pointer)
      unsafe frame = unsafe pointer.pointee.parent
    }
    var history = unsafe frame?.pointee.history
    while let pointer = unsafe missing.popLast() {
      history = unsafe History(step: pointer.pointee.step, parent: history)
      unsafe pointer.pointee.history = history
    }
    return history
  }
}

/// The steps that led to an instance, kept until its configuration has run.
final class History: Sendable {
  let step: Step
  let parent: History?

  init(step: Step, parent: History?) {
    self.step = step
    self.parent = parent
  }

  /// From the innermost to the outermost.
  var steps: UnfoldFirstSequence<Step> {
    var node: History? = self
    return sequence(first: step) { _ in
      node = node?.parent
      return node?.step
    }
  }
}
