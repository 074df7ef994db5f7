public import Synchronization

/// What one thread is resolving right now.
///
/// Soundness of the unchecked conformance: `looks` is atomic, and `waitingFor` is touched under `WaitGraph.lock` only.
/// Everything else is touched by its own thread only, but for the frames: other threads read them under that lock while
/// `waitingFor` is set, when this thread sleeps and its frames stand still.
@safe
@usableFromInline
final class ThreadContext: @unchecked Sendable {
  /// Counts up when this thread begins and when it ends to look at something published: odd while it looks.
  @usableFromInline let looks = Atomic<UInt>(0)

  /// One level of a resolution.
  ///
  /// Soundness of the unmanaged references: whoever pushes a frame holds its step until the frame is popped. The
  /// history belongs to the frame.
  @unsafe
  struct Frame {
    let step: Unmanaged<Step>

    /// This step and those that led to it: given while a configuration runs, else made when one is put off.
    var history: Unmanaged<History>?

    /// How deep the injector lies that keeps what is made here; the deepest, if none does.
    var keeper = Int32.max

    /// Whether it is recorded what is asked for here, and whether that is for a configuration.
    var isRecording = false
    var isConfiguring = false
  }

  /// The levels from the outermost to the innermost; the first `depth` are initialized.
  private(set) var frames: UnsafeMutablePointer<Frame>
  private(set) var depth = 0
  private var capacity = 32

  /// How many requests for instances this thread is in, one inside of the other.
  private var sessionDepth = 0

  /// Whether the end of the session leaves nothing to do.
  private var isSettled = true

  /// Configurations of instances that this session has made, in the order in which they were made.
  var deferred: [Deferred] = [] {
    didSet { isSettled = false }
  }

  /// The instances that nobody else may see yet; `nil` while there are none.
  var assembly: Assembly? {
    didSet { isSettled = false }
  }

  /// The instances that the outermost request shares with all that is made for it.
  var graph: [GraphKey: GraphInstance] = [:] {
    didSet { isSettled = false }
  }

  /// How many observing closures this thread is in, one inside of the other.
  var observing = 0

  /// The sandbox whose rest is being released.
  var endingSandbox: Sandbox?

  /// Who wants to know which properties are read.
  var watch: SelectionWatch?

  /// The providers that this thread has asked for.
  let providerNames = ProviderNameCache()

  /// Who wants to know what has to be loaded.
  var search: LoadSearch?

  /// How many outermost requests have ended.
  private(set) var sessions: UInt = 0

  var waitingFor: Construction?
  let parker = Parker()
  private let stackLimit = StackBounds.limit()

  init() {
    unsafe frames = .allocate(capacity: capacity)
  }

  deinit {
    unsafe frames.deallocate()
  }

  static var current: ThreadContext { unsafe ThreadSlot.context.takeUnretainedValue() }

  /// Where a scope is opened now.
  var birth: Injector.Birth {
    Injector.Birth(
      thread: ObjectIdentifier(self), session: sessions, depth: depth, load: LoadContext.current?.number ?? 0)
  }

  /// Whether the current request comes from a factory or a configuration of another.
  var isNested: Bool { sessionDepth > 1 }

  var isIdle: Bool { sessionDepth == 0 }

  /// Runs `body` one level deeper.
  ///
  /// - Throws: ``InjectorError/depthExceeded(_:depth:)`` when the stack has no room for another level.
  func push<Result>(
    _ step: Step, keeper: Int32, isRecording: Bool, isConfiguring: Bool = false, history: History? = nil,
    in injector: Injector, _ body: () throws(InjectorError) -> Result
  ) throws(InjectorError) -> Result {
    guard hasRoom else { throw depthExceeded(by: step, in: injector) }
    unsafe push(
      Frame(
        step: Unmanaged.passUnretained(step), history: history.map { unsafe Unmanaged.passRetained($0) },
        keeper: keeper, isRecording: isRecording, isConfiguring: isConfiguring))
    if isRecording { Attention.shared.begin() }
    defer {
      if isRecording { Attention.shared.end() }
      pop()
    }
    return try body()
  }

  /// Notes what the factory or the configuration asks for that is running, if someone wants to know.
  func note(_ key: ServiceKey, isOptional: Bool, givesContext: Bool) {
    if depth == 0 {
      LoadContext.current?.note(Dependency(key: key, isOptional: isOptional, givesContext: givesContext))
      return
    }
    guard unsafe frames[depth - 1].isRecording else { return }
    unsafe frames[depth - 1].step.takeUnretainedValue().note(
      Dependency(
        key: key, isConfigured: frames[depth - 1].isConfiguring, isOptional: isOptional, givesContext: givesContext))
  }

  /// Begins a request for a new instance, as one level more.
  ///
  /// - Returns: Why it must not be.
  @inline(__always)
  func begin(_ step: Unmanaged<Step>, in injector: Injector) -> InjectorError? {
    guard hasRoom, unsafe !isRunning(step) else { return unsafe refusal(of: step.takeUnretainedValue(), in: injector) }
    unsafe push(Frame(step: step))
    sessionDepth += 1
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
  func settle() -> InjectorError? {
    sessions &+= 1
    if isSettled { return nil }
    sessionDepth += 1
    defer { sessionDepth -= 1 }
    let failure = finishSession()
    // Released after the session has ended: the last reference to an instance may go with it.
    let ended = graph
    graph = [:]
    isSettled = true
    defer { withExtendedLifetime(ended) {} }
    return failure
  }

  /// Runs a request for an instance: as a part of this thread's session, or as a whole session if there is none.
  func session<Value>(_ body: () throws(InjectorError) -> Value) throws(InjectorError) -> Value {
    sessionDepth += 1
    let result = Result { () throws(InjectorError) in try body() }
    sessionDepth -= 1
    if sessionDepth == 0, let failure = settle(), case .success = result { throw failure }
    return try result.get()
  }

  /// Begins to run the rules of a selector, as one level more, which is no request.
  ///
  /// - Returns: Why it must not be.
  func beginRules(of step: Unmanaged<Step>, in injector: Injector) -> InjectorError? {
    guard hasRoom, unsafe !isRunning(step) else { return unsafe refusal(of: step.takeUnretainedValue(), in: injector) }
    unsafe push(Frame(step: step))
    return nil
  }

  func endRules() {
    pop()
  }

  /// Throws if the step is running on this thread already.
  func refuseCycle(through step: Step, in injector: Injector) throws(InjectorError) {
    if unsafe isRunning(Unmanaged.passUnretained(step)) { throw circularDependency(through: step, in: injector) }
  }

  @inline(never)
  private func refusal(of step: Step, in injector: Injector) -> InjectorError {
    let isCycle = unsafe isRunning(Unmanaged.passUnretained(step))
    return isCycle ? circularDependency(through: step, in: injector) : depthExceeded(by: step, in: injector)
  }

  private func circularDependency(through step: Step, in injector: Injector) -> InjectorError {
    let trail = trail
    let path = trail[(trail.lastIndex { $0 === step } ?? 0)...] + [step]
    return .circularDependency(InjectorError.Facts(about: step.subject, in: injector), path: path.map(\.subject.name))
  }

  private func depthExceeded(by step: Step, in injector: Injector) -> InjectorError {
    .depthExceeded(InjectorError.Facts(about: step.subject, in: injector), depth: trail.count)
  }

  /// Whether the stack has room for another level: the address of something on it tells.
  private var hasRoom: Bool {
    var here: UInt8 = 0
    return unsafe withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) } > stackLimit
  }

  private func push(_ frame: Frame) {
    if depth == capacity { grow() }
    unsafe (frames + depth).initialize(to: frame)
    depth += 1
  }

  private func pop() {
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
