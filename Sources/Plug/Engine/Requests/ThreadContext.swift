public import Synchronization

/// What one thread is resolving right now.
///
/// Soundness of the unchecked conformance: `looks` is atomic, and `waitingFor` is touched under `WaitGraph.lock` only.
/// Everything else is touched by its own thread only, but for the frames and the claims: other threads read them under
/// that lock while `waitingFor` is set, when this thread sleeps and they stand still.
@safe
@usableFromInline
final class ThreadContext: @unchecked Sendable {
  /// Counts up when this thread begins and when it ends to look at something published: odd while it looks.
  @usableFromInline let looks = Atomic<UInt>(0)

  /// One level of a resolution.
  ///
  /// Soundness of the unmanaged references: whoever pushes a frame holds its step and its record until the frame is
  /// popped. The history belongs to the frame.
  @unsafe
  struct Frame {
    let step: Unmanaged<ResolutionStep>

    /// When an injector was created for the first time while this stood on the stack; 0 as long as none has been.
    var moment: UInt = 0

    /// This step and those that led to it: given while a configuration runs, else made when one is put off.
    var history: Unmanaged<History>?

    /// Whether it is recorded what is asked for here, and where.
    var recording = unsafe Recording.none

    /// How deep the injector lies that keeps what is made here; the deepest, if none does.
    var keeper = Int32.max

    /// How deep the injector lies that keeps what is made here or further out, the least deep of all. What a history
    /// says is not looked up for this.
    var lowestKeeper = Int32.max

    /// Whether this is a configuration.
    var isConfiguring = false

    /// What rules run for, if this level runs any.
    var rules = RuleUse.none
  }

  /// The levels from the outermost to the innermost; the first `depth` are initialized.
  private(set) var frames: UnsafeMutablePointer<Frame>
  private(set) var depth = 0
  private var capacity = 32

  /// How many requests for instances this thread is in, one inside of the other.
  var sessionDepth = 0

  /// Whether the end of the session leaves nothing to do.
  private(set) var isSettled = true

  /// What the session has to do, and to release, when its outermost request has ended.
  var sessionEnd = SessionEnd() {
    didSet { isSettled = false }
  }

  /// What has kept conditions from being decided, by the depths of the choices that these belong to.
  var interruptions: [Interruption] = []

  /// What the choice that is under way goes on to see.
  var steady = SteadyObjects()

  /// The depth of the choice with which that ends; 0 as long as nothing has been read. Each choice looks at this, and
  /// apart from what is seen it takes no check for exclusive access.
  var steadyDepth = 0

  /// How many explanations this thread is in, one inside of the other.
  var explanations = 0

  /// How many observing closures this thread is in, one inside of the other.
  var observing = 0

  /// How many tasks this thread has started that have not waited yet, one inside of the other.
  var immediateTasks = 0

  /// What rooms further down keep here for as long as they run something; each says what it is.
  var endingSandboxObject, watchObject, probeObject, loadLoopObject: AnyObject?

  /// Tells the thread from every other, also from one whose context lies at the same address later.
  let number = ThreadContext.lastNumber.add(1, ordering: .relaxed).newValue
  private static let lastNumber = Atomic<UInt>(0)

  /// Counts the injectors that this thread has created.
  private var moments: UInt = 0

  /// The slots whose values this thread makes, by their addresses, and how deep it was when it began.
  var claims: [(slot: UInt, depth: Int)] = []

  /// What this thread makes without cells.
  let makings = ThreadMakings()

  /// Whether one who follows the choices is being told of one.
  var isReporting = false

  /// What this thread sleeps for.
  var waitingFor: WaitGraph.Wait?
  let parker = Parker()
  private let stack = StackBounds()

  init() { unsafe frames = .allocate(capacity: capacity) }
  deinit { unsafe frames.deallocate() }

  static var current: ThreadContext { unsafe ThreadLocalContext.context.takeUnretainedValue() }

  func makeIdentity() -> Injector.Identity {
    moments &+= 1
    // Noted here, because frames are pushed far more often than injectors are created.
    var level = depth
    while level > 0, unsafe frames[level - 1].moment == 0 {
      level -= 1
      unsafe frames[level].moment = moments
    }
    if !isIdle, sessionEnd.moment == 0 { sessionEnd.moment = moments }
    return Injector.Identity(thread: number, moment: moments)
  }

  /// Whether the current request comes from a factory or a configuration of another.
  var isNested: Bool { sessionDepth > 1 }

  var isIdle: Bool { sessionDepth == 0 }

  /// Runs `body` one level deeper.
  ///
  /// - Throws: ``InjectorError/depthExceeded(_:depth:)`` when the stack has no room for another level.
  func push<Result>(
    _ step: ResolutionStep, keeper: Int32, record: RunRecord?, isConfiguring: Bool = false, history: History? = nil,
    in injector: Injector, _ body: () throws(InjectorError) -> Result
  ) throws(InjectorError) -> Result {
    guard hasRoom else { throw depthExceeded(by: step, in: injector) }
    unsafe push(
      Frame(
        step: Unmanaged.passUnretained(step), history: history.map { unsafe Unmanaged.passRetained($0) },
        recording: record.map { unsafe .given(Unmanaged.passUnretained($0)) } ?? .none, keeper: keeper,
        isConfiguring: isConfiguring))
    if record != nil { Instrumentation.shared.begin() }
    defer {
      if record != nil { Instrumentation.shared.end() }
      pop()
      withExtendedLifetime(record) {}
    }
    return try body()
  }

  /// Begins a request for a new instance, as one level more.
  ///
  /// - Returns: Why it must not be.
  @inline(__always)
  func begin(_ step: Unmanaged<ResolutionStep>, in injector: Injector) -> InjectorError? {
    guard hasRoom, unsafe !isRunning(step) else { return unsafe refusal(of: step.takeUnretainedValue(), in: injector) }
    unsafe push(Frame(step: step))
    sessionDepth += 1
    return nil
  }

  /// The same, where the step may be under way already.
  func beginAgain(_ step: Unmanaged<ResolutionStep>, in injector: Injector) -> InjectorError? {
    guard hasRoom else { return depthExceeded(by: unsafe step.takeUnretainedValue(), in: injector) }
    unsafe push(Frame(step: step))
    sessionDepth += 1
    return nil
  }

  /// Begins to make an instance that an injector keeps.
  ///
  /// - Parameter isRecorded: Whether it is recorded what is asked for. Then `endRecording` ends that.
  func begin(
    _ step: Unmanaged<ResolutionStep>, keeper: Int32, isRecorded: Bool, in injector: Injector
  ) -> InjectorError? {
    guard hasRoom else { return depthExceeded(by: unsafe step.takeUnretainedValue(), in: injector) }
    unsafe push(
      Frame(step: step, recording: isRecorded ? .begun(Unmanaged.passUnretained(injector)) : .none, keeper: keeper))
    if isRecorded { Instrumentation.shared.begin() }
    return nil
  }

  /// Ends a request that `begin` has begun.
  func end() {
    pop()
    sessionDepth -= 1
  }

  /// Finishes the session after its outermost request.
  ///
  /// - Returns: What went wrong.
  func settle() -> InjectorError? { isSettled ? nil : finishSession() }

  @inline(never)
  private func finishSession() -> InjectorError? {
    sessionDepth += 1
    let failed = configure()
    var failure = failed?.error
    if let publicationGroup = sessionEnd.publicationGroup {
      failure = publicationGroup.finish(self, failed)
    } else if failed == nil {
      sessionEnd.keepProvisional()
    }
    let ended = sessionEnd
    sessionEnd = SessionEnd()
    isSettled = true
    sessionDepth -= 1
    // Code of users runs from here on: it finds no session, and what it gets makes sessions of its own.
    ended.end()
    return failure
  }

  /// Runs the configurations that the session owes.
  ///
  /// - Returns: What went wrong, and where; those that are left are not run then.
  private func configure() -> PublicationGroup.Failure? {
    var next = 0
    while next < sessionEnd.deferred.count {
      let configuration = sessionEnd.deferred[next]
      do throws(InjectorError) {
        try configuration.run(self)
      } catch {
        return PublicationGroup.Failure(error: error, step: configuration.step)
      }
      next += 1
    }
    return nil
  }

  /// Runs a request for an instance: as a part of this thread's session, or as a whole session if there is none.
  func session<Value>(_ body: () throws(InjectorError) -> Value) throws(InjectorError) -> Value {
    sessionDepth += 1
    let value: Value
    do throws(InjectorError) {
      value = try body()
    } catch {
      sessionDepth -= 1
      if isIdle { _ = settle() }
      throw error
    }
    sessionDepth -= 1
    if isIdle, let failure = settle() { throw failure }
    return value
  }

  /// Begins to run the rules of a selector, as one level more, which is no request.
  ///
  /// - Returns: Why it must not be.
  func beginRules(
    of step: Unmanaged<ResolutionStep>, in injector: Injector, for use: RuleUse = .choice
  ) -> InjectorError? {
    guard hasRoom, unsafe !isRunning(step) else { return unsafe refusal(of: step.takeUnretainedValue(), in: injector) }
    unsafe push(Frame(step: step, rules: use))
    return nil
  }

  func endRules() {
    pop()
    if depth < steadyDepth { endSteady() }
  }

  /// Throws if the step is running on this thread already.
  func refuseCycle(through step: ResolutionStep, in injector: Injector) throws(InjectorError) {
    if unsafe isRunning(Unmanaged.passUnretained(step)) { throw circularDependency(through: step, in: injector) }
  }

  @inline(never)
  private func refusal(of step: ResolutionStep, in injector: Injector) -> InjectorError {
    let isCycle = unsafe isRunning(Unmanaged.passUnretained(step))
    return isCycle ? circularDependency(through: step, in: injector) : depthExceeded(by: step, in: injector)
  }

  /// Whether the stack has room for another level: the address of something on it tells.
  private var hasRoom: Bool {
    var here: UInt8 = 0
    let address = unsafe withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    return address > stack.limit || stack.hasRoomBehindSanitizer(address)
  }

  @inline(__always)
  private func push(_ frame: Frame) {
    if depth == capacity { grow() }
    var frame = unsafe frame
    unsafe frame.lowestKeeper = unsafe frame.history == nil ? min(frame.keeper, lowestKeeper) : .min
    unsafe (frames + depth).initialize(to: frame)
    depth += 1
  }

  func pop() {
    depth -= 1
    unsafe frames[depth].history?.release()
  }

  @inline(never)
  private func grow() {
    let larger = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
    unsafe larger.moveInitialize(from: frames, count: depth)
    unsafe frames.deallocate()
    unsafe frames = larger
    capacity *= 2
  }
}
