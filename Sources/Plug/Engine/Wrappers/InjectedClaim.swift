import Synchronization

/// Lets one thread at a time make what an `InjectedStorage` keeps; whoever comes meanwhile waits for the end.
///
/// While nobody waits, it is the address of the context of the thread that makes it. The first who has to wait puts an
/// attempt in its place, so that a circle of threads that wait is found as it is for cells.
///
/// Soundness: a context is taken from its address under the lock of `contended`, after the exchange has succeeded; its
/// thread cannot have ended then, because it finds its claim changed, and comes to the lock too.
@safe
@usableFromInline
struct InjectedClaim: ~Copyable, Sendable {
  private static let contended = Guarded<[UInt: InjectedAttempt]>([:])

  /// 0 while nobody has it.
  private let holder = Atomic<UInt>(0)
  private static let isContended: UInt = 1

  @usableFromInline
  init() {}

  enum Start {
    /// The calling thread makes it, and then calls `end`.
    case claimed
    /// Another has ended it.
    case over
    /// Another makes it, who waits for something that the calling thread has made to be published: the calling thread
    /// makes a value as well, without the claim.
    case alone
  }

  /// Begins to make the value of a slot, or waits until another thread has ended it.
  ///
  /// - Returns: Whether the calling thread has it to make. It may again, while it does, and then is told what is
  ///   circular.
  func begin(
    _ slot: AnyObject, _ source: InjectedSource, _ service: any Any.Type, as context: ThreadContext
  ) throws(InjectorError) -> Start {
    let (slot, address) = (UInt(bitPattern: ObjectIdentifier(slot)), Self.address(of: context))
    let held = holder.compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing)
    if held.exchanged || held.original == address {
      context.claims.append((slot, context.depth))
      return .claimed
    }
    let attempt = Self.contended.withLock { contended -> InjectedAttempt? in
      if let known = contended[slot] { return known }
      let held = holder.load(ordering: .acquiring)
      guard held > Self.isContended,
        holder.compareExchange(expected: held, desired: Self.isContended, ordering: .acquiringAndReleasing).exchanged,
        let pointer = unsafe UnsafeRawPointer(bitPattern: held)
      else { return nil }
      let location = CodeLocation(fileID: "\(source.fileID)", line: Int(source.line))
      let made = unsafe InjectedAttempt(
        step: ResolutionStep(declaration: Declaration(service, tag: source.tag, location: location)),
        owner: Unmanaged<ThreadContext>.fromOpaque(pointer).takeUnretainedValue(), slot: slot)
      contended[slot] = made
      return made
    }
    guard let attempt else { return .over }
    if attempt.owner === context {
      context.claims.append((slot, context.depth))
      return .claimed
    }
    do throws(InjectorError) {
      if try WaitGraph.join(attempt, as: context, in: source.injector(for: service)) == .alone { return .alone }
    } catch .notLoaded, .mainActorRequired {
      // That was about the one who made it.
    } catch {
      throw error.asked(at: source.fileID, source.line)
    }
    return .over
  }

  /// Ends what `begin` has begun on this thread.
  func end(_ slot: AnyObject, _ failure: InjectorError?, as context: ThreadContext) {
    let slot = UInt(bitPattern: ObjectIdentifier(slot))
    context.claims.removeLast()
    if context.claims.contains(where: { $0.slot == slot }) { return }
    let address = Self.address(of: context)
    if holder.compareExchange(expected: address, desired: 0, ordering: .acquiringAndReleasing).exchanged { return }
    let attempt = Self.contended.withLock { contended in
      holder.store(0, ordering: .releasing)
      return contended.removeValue(forKey: slot)
    }
    _ = attempt?.finish(failure, isOwn: true)
  }

  private static func address(of context: ThreadContext) -> UInt { UInt(bitPattern: ObjectIdentifier(context)) }
}

/// What those wait for who want what a slot is going to keep.
///
/// Soundness of the unchecked conformance: it adds immutable state only.
private final class InjectedAttempt: Attempt, @unchecked Sendable {
  private let slot: UInt

  override var isOptional: Bool { true }

  init(step: ResolutionStep, owner: ThreadContext, slot: UInt) {
    self.slot = slot
    super.init(step: step, owner: owner)
  }

  override var steps: [ResolutionStep] {
    let depth = owner.claims.first { $0.slot == slot }?.depth ?? owner.depth
    return owner.trail.suffix(owner.depth - depth)
  }
}
