import Synchronization

/// The constructions of one thread, from the outermost request to the innermost. Only its own thread uses it.
final class ResolutionStack {
  /// One frame: an instance that is being made or configured, or a choice.
  ///
  /// Soundness of the unowned reference: the code that enters a frame holds the registration until it leaves.
  struct Frame {
    enum Act {
      /// A factory runs, or the rules of a choice.
      case making
      /// A configuration runs directly after its factory.
      case configuring
      /// A configuration that was put aside runs again.
      case configuringAgain
    }

    private unowned(unsafe) let held: Registration
    var registration: Registration { unsafe held }
    /// The number of the injector that the instance is made for.
    let injector: UInt
    /// The cell that the instance is made for; `nil` for an unshared instance, a choice or a configuration.
    let cell: ObjectIdentifier?
    /// The depth of the injector that keeps the instance; the greatest number if none does.
    let ownerDepth: Int32
    /// The least depth of the injectors that keep the instances of this and the outer frames.
    let outermost: Int32
    /// The number of scopes that this thread had opened when the construction began.
    let moment: UInt32
    /// The number of unpublished instances when the frame was entered.
    let made: Int32
    /// The number of shared instances when the frame was entered.
    let shared: Int32
    let act: Act
    /// Whether a configuration is put aside until the end of this frame.
    var isAwaited = false
    /// The frame until whose end this configuration is put aside; `nil` if it is not.
    var awaited: Int?

    var isConfiguring: Bool { act != .making }

    init(
      _ registration: Registration, injector: UInt, cell: Cell?, ownerDepth: Int32, outermost: Int32, moment: UInt32,
      session: Session?, _ act: Act
    ) {
      unsafe held = registration
      self.injector = injector
      self.cell = cell.map(ObjectIdentifier.init)
      self.ownerDepth = ownerDepth
      self.outermost = outermost
      self.moment = moment
      made = session.map { Int32(truncatingIfNeeded: $0.made.count) } ?? 0
      shared = session.map { Int32(truncatingIfNeeded: $0.shared.count) } ?? 0
      self.act = act
    }
  }

  /// The mutable state.
  struct Own {
    var frames: ContiguousArray<Frame> = []
    /// How many scopes have been opened on this thread.
    var moment: UInt32 = 0
    var session: Session?
    /// The load that this thread runs a part of.
    var load: Work?
    /// The asynchronous request that this thread tries to answer.
    var round: LoadRound?
    /// How often an instance was handed out on this thread before it was published.
    var uses: UInt32 = 0
    /// What the innermost choice has noted, in an object of the layer that chooses; `nil` if it has noted nothing.
    var notes: AnyObject?
    /// How many choices are under way.
    var choices: Int32 = 0
  }

  private let bounds: StackBounds
  /// The thread, as a node of the wait graph.
  let work: UInt = Work.makeID()

  /// Soundness: no access calls a user's code before it ends, so no other access can begin meanwhile, and no other
  /// thread has the object.
  @exclusivity(unchecked) private var storage = Own()
  var own: Own {
    @inline(__always) _read { yield unsafe storage }
    @inline(__always) _modify { yield unsafe &storage }
  }

  init(_ bounds: StackBounds) {
    self.bounds = bounds
    own.frames.reserveCapacity(32)
  }

  /// Enters a frame.
  @inline(__always)
  func enter(
    _ registration: Registration, for injector: Injector, ownerDepth: Int32 = .max, cell: Cell? = nil,
    since moment: UInt32? = nil, _ act: Frame.Act = .making
  ) throws {
    guard StackBounds.here > bounds.lowest, own.frames.count < bounds.frames else {
      throw injector.failure(.depthExceeded, registration, path)
    }
    var outermost = ownerDepth
    if let last = own.frames.last {
      outermost = min(ownerDepth, last.outermost)
    } else if Work.areUnderWay {
      own.load = Work.current
    }
    own.frames.append(
      Frame(
        registration, injector: injector.number, cell: cell, ownerDepth: ownerDepth, outermost: outermost,
        moment: moment ?? own.moment, session: own.session, act))
  }

  /// Leaves a frame.
  @inline(__always)
  func leave() throws {
    if own.session != nil { return try settle() }
    own.frames.removeLast()
    if own.frames.isEmpty { own.load = nil }
  }

  /// Leaves a frame with an error, and releases the instances made there that may refer to an unconfigured one.
  func leave(failingWith error: any Error) {
    var frame = own.frames.removeLast()
    if let session = own.session {
      // If the configuration around this frame runs again, it may make the frame's instance then. What waits for the
      // frame is kept until then, or else it would be made twice.
      if frame.isAwaited, let outer = own.frames.last(where: \.isConfiguring)?.awaited {
        session.putAside(from: Int(frame.made), awaiting: own.frames.count, until: outer)
        frame.isAwaited = false
      }
      giveUp(session, from: frame, error)
    } else if own.frames.isEmpty {
      own.load = nil
    }
  }

  /// Handles the failure of a frame. Unless it was the last frame, the request continues with the instances made there.
  /// It releases only an instance whose configuration threw, and the instances that may refer to it: those made later.
  /// To an instance that was put aside until the end of this frame, an earlier one may refer as well.
  func giveUp(_ session: Session, from frame: Frame, _ error: any Error) {
    if own.frames.isEmpty {
      (own.session, own.load) = (nil, nil)
      return session.take(from: 0).abandon(error)
    }
    let first = Int(frame.made)
    guard let lost = frame.isAwaited ? first : session.made[first...].firstIndex(where: \.isConfiguring) else { return }
    let unshared = session.endSharing(from: Int(frame.shared))
    session.take(from: lost).abandon(error)
    withExtendedLifetime(unshared) {}  // A `deinit` may use the session.
  }

  func openSession() -> Session {
    if let session = own.session { return session }
    let new = Session()
    own.session = new
    return new
  }

  /// The frame that makes an instance of the registration for the injector, if there is one.
  @inline(__always)
  func frame(making registration: Registration, for injector: Injector) -> Int? {
    var index = own.frames.count
    while index > 0 {
      index -= 1
      let frame = own.frames[index]
      if frame.registration === registration, frame.injector == injector.number, !frame.isConfiguring { return index }
    }
    return nil
  }

  /// The steps from the capturing instance on, if an instance under construction outlives the scope and has not opened
  /// the scope.
  ///
  /// - Parameters:
  ///   - scope: `nil` for a missing scope, which would be inside the injector.
  ///   - injector: The injector that received the request.
  func capture(of scope: Injector?, for injector: Injector) -> [Step]? {
    let depth = scope?.depth ?? injector.depth + 1
    // A scope that a frame opened was also opened during the load around it, so the load is not asked then.
    if let last = own.frames.last, last.outermost < depth {
      func hasOpened(_ scope: Injector?, _ frame: Frame) -> Bool {
        scope.map { $0.birth.work == work && $0.birth.moment > frame.moment } ?? false
      }
      return own.frames.firstIndex { $0.ownerDepth < depth && !hasOpened(scope, $0) }.map { steps(from: $0) }
    }
    // The first frame notes the task's load in `own.load`. Without frames, only the task knows it.
    return (own.frames.isEmpty ? Work.current : own.load)?.capture(of: scope, below: depth).map { $0 + steps(from: 0) }
  }

  /// The steps of the constructions that are under way, outermost first.
  var path: [Step] { ((own.frames.isEmpty ? Work.current : own.load)?.trail ?? []) + steps(from: 0) }

  /// The steps of the frames from an index on. A configuration is a step only if it does not run directly after its
  /// factory. The frame of a load is the last step of its trail already, and an injected property is no step.
  func steps(from first: Int) -> [Step] {
    own.frames.indices[first...].compactMap { index in
      let (registration, act) = (own.frames[index].registration, own.frames[index].act)
      let isOfLoad = index == 0 && registration === own.load?.trail.last?.registration
      return act == .configuring || isOfLoad || registration.isOfSlot ? nil : Step(registration)
    }
  }

  /// Runs a factory and the decorators of its instance.
  func run(
    _ registration: Registration, from arguments: AnyBox? = nil, in injector: Injector
  ) throws -> Wrapped {
    do {
      if registration.isPlain, !Layers.areHooked, !injector.isHome {
        return Wrapped(box: try registration.recipe.make(registration.recipe, injector))
      }
      return try runRare(registration, from: arguments, in: injector)
    } catch {
      throw injector.wrapping(error, registration, path)
    }
  }

  @inline(never)
  private func runRare(
    _ registration: Registration, from arguments: AnyBox?, in injector: Injector
  ) throws -> Wrapped {
    let recipe = registration.recipe
    if recipe.needs.isAbsent { throw injector.failure(.absent, registration, path) }
    if recipe.isolation.isMainActor, !isOnMainActor() {
      throw injector.failure(.mainActorRequired, registration, path)
    }
    // Not in a closure, which would retain everything that it captures.
    if !Layers.areHooked { return try make(registration, from: arguments, in: injector) }
    return try Layers.running(registration, for: injector) { try make(registration, from: arguments, in: injector) }
  }

  private func make(_ registration: Registration, from arguments: AnyBox?, in injector: Injector) throws -> Wrapped {
    let asked = injector.isHome ? .asked : injector
    let fromArguments = try arguments.flatMap { try registration.maker?.make($0, asked) }
    let made = try fromArguments ?? registration.instance ?? registration.recipe.make(registration.recipe, asked)
    return try wrap(made, registration, in: injector)
  }

  /// Wraps an instance in its decorators, and closes it if one of them throws.
  func wrap(
    _ made: AnyBox, _ registration: Registration, in injector: Injector, isLoaded: Bool = false
  ) throws -> Wrapped {
    guard let wraps = registration.recipe.extras?.values.wraps, !wraps.isEmpty else { return Wrapped(box: made) }
    var culprit: RequestFailure.Culprit?
    do {
      var box = made
      for decoration in wraps {
        culprit = .decorator(decoration.id, decoration.location)
        box = try decoration.wrap(box, injector)
      }
      return Wrapped(box: box, inner: made)
    } catch {
      let isRetried = isLoaded && error.isRetried
      if !isRetried { injector.close(made, of: registration) }
      throw injector.wrapping(error, registration, path, by: culprit ?? .factory)
    }
  }
}

/// An instance that has been made.
struct Wrapped {
  /// The instance that requests get.
  let box: AnyBox
  /// The undecorated instance; `nil` if there are no decorators.
  var inner: AnyBox?
}
