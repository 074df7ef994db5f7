public import Synchronization

/// What one thread is resolving right now.
///
/// Soundness of the unchecked conformance: `top`, `deferred`, `assembly` and `sessionDepth` are touched by their own
/// thread only. `waitingFor` is touched under `WaitGraph.lock` only. Other threads walk the frames below `top` only
/// under that lock while `waitingFor` is set, when this thread sleeps and its frames stand still.
@safe
@usableFromInline
final class ThreadContext: @unchecked Sendable {
  /// The innermost step; `nil` when this thread resolves nothing.
  private(set) var top: UnsafeMutablePointer<Frame>?

  /// Configurations of instances that this session has made, in the order in which they were made.
  var deferred: [Deferred] = []

  /// The instances that nobody else may see yet; `nil` while there are none.
  var assembly: Assembly?

  /// Counts up when this thread begins and when it ends to look at something published: odd while it looks.
  @usableFromInline let looks = Atomic<UInt>(0)

  var waitingFor: Construction?
  let parker = Parker()
  private let stackLimit = StackBounds.limit()

  static var current: ThreadContext { unsafe ThreadSlot.context.takeUnretainedValue() }

  /// How many requests for instances this thread is in, one inside of the other.
  private var sessionDepth = 0

  /// Whether the current request comes from a factory or a configuration of another.
  var isNested: Bool { sessionDepth > 1 }

  /// One level of a resolution, on the stack of its thread.
  ///
  /// Soundness of the unmanaged references: whoever pushes a frame holds its step until the frame is popped, and a thread
  /// holds its context.
  @unsafe
  @usableFromInline
  struct Frame {
    let step: Unmanaged<Step>
    /// This step and those that led to it: given while a configuration runs, else made when one is put off.
    var history: History?
    var parent: UnsafeMutablePointer<Frame>?
    var context: Unmanaged<ThreadContext>?

    @usableFromInline
    init(step: Unmanaged<Step>) {
      unsafe self.step = unsafe step
    }
  }

  /// Runs `body` one level deeper.
  ///
  /// - Throws: ``InjectorError/depthExceeded(_:depth:)`` when the stack has no room for another level.
  func push<Result>(
    _ step: Step, history: History? = nil, in injector: Injector, _ body: () throws(InjectorError) -> Result
  ) throws(InjectorError) -> Result {
    var frame = unsafe Frame(step: Unmanaged.passUnretained(step))
    unsafe frame.history = history
    return try unsafe withUnsafeMutablePointer(to: &frame) { frame throws(InjectorError) in
      try unsafe push(frame, in: injector)
      defer { unsafe pop(frame) }
      return try body()
    }
  }

  private func push(_ frame: UnsafeMutablePointer<Frame>, in injector: Injector) throws(InjectorError) {
    guard UInt(bitPattern: frame) > stackLimit else {
      let facts = unsafe InjectorError.Facts(about: frame.pointee.step.takeUnretainedValue().subject, in: injector)
      throw .depthExceeded(facts, depth: trail.count)
    }
    unsafe frame.pointee.parent = unsafe top
    unsafe top = unsafe frame
  }

  private func pop(_ frame: UnsafeMutablePointer<Frame>) {
    unsafe top = unsafe frame.pointee.parent
  }

  /// Runs a request for an instance: as a part of this thread's session, or as a whole session if there is none.
  func session<Value>(_ body: () throws(InjectorError) -> Value) throws(InjectorError) -> Value {
    sessionDepth += 1
    let result = Result { () throws(InjectorError) in try body() }
    let failure = endRequest()
    if case .success = result, let failure { throw failure }
    return try result.get()
  }

  /// Ends a request, and the session with the outermost.
  ///
  /// - Returns: What went wrong while the session was finished.
  private func endRequest() -> InjectorError? {
    defer { sessionDepth -= 1 }
    guard sessionDepth == 1, assembly != nil || !deferred.isEmpty else { return nil }
    return finishSession()
  }

  /// Begins a request for a new instance, as one level of the calling thread's resolution.
  @usableFromInline
  static func enter(_ frame: UnsafeMutablePointer<Frame>, in injector: Injector) throws(InjectorError) {
    let context = unsafe ThreadSlot.context
    unsafe frame.pointee.context = unsafe context
    let refusal = unsafe context._withUnsafeGuaranteedRef { unsafe $0.begin(frame, in: injector) }
    if let refusal { throw refusal }
  }

  private func begin(_ frame: UnsafeMutablePointer<Frame>, in injector: Injector) -> InjectorError? {
    if unsafe isRunning(frame.pointee.step) {
      return unsafe circularDependency(through: frame.pointee.step.takeUnretainedValue(), in: injector)
    }
    do throws(InjectorError) {
      try unsafe push(frame, in: injector)
      sessionDepth += 1
      return nil
    } catch {
      return error
    }
  }

  /// Ends a request that `enter` has begun. The context lives: it belongs to the thread that this runs on.
  @usableFromInline
  static func leave(_ frame: UnsafeMutablePointer<Frame>) throws(InjectorError) {
    let failure = unsafe frame.pointee.context?._withUnsafeGuaranteedRef { context in
      unsafe context.pop(frame)
      return context.endRequest()
    }
    if let failure = failure ?? nil { throw failure }
  }

  /// Ends a request whose factory threw.
  @usableFromInline
  static func leave(
    _ frame: UnsafeMutablePointer<Frame>, failing error: any Error, in injector: Injector
  ) -> InjectorError {
    let subject = unsafe frame.pointee.step.takeUnretainedValue().subject
    let error = InjectorError(reporting: error, about: subject, in: injector)
    try? unsafe leave(frame)
    return error
  }

  /// Throws if the step is running on this thread already.
  func refuseCycle(through step: Step, in injector: Injector) throws(InjectorError) {
    if unsafe isRunning(Unmanaged.passUnretained(step)) { throw circularDependency(through: step, in: injector) }
  }

  private func circularDependency(through step: Step, in injector: Injector) -> InjectorError {
    let path = trail.drop { $0 !== step } + [step]
    return .circularDependency(InjectorError.Facts(about: step.subject, in: injector), path: path.map(\.subject.name))
  }
}
