/// What a scope has for itself of what is registered.
@unsafe
@usableFromInline
enum OwnInstance {
  case copied
  case absent
  /// A cell of its own, retained.
  case cell(Unmanaged<AnyEntry>)
  /// There was none, and the calling thread makes it now.
  case begun(OwnPlace)
  /// There is more to it.
  case stepwise
}

/// Where a thread makes an instance of a scope.
@usableFromInline
struct OwnPlace {
  let place: Int

  /// Tells what is made from whatever else the thread makes.
  let number: UInt
}

/// The making of an instance that a scope keeps without a cell, by code that is specialized in the user's module.
///
/// A slot among the scope's cells says which thread makes it. Whoever else wants it, or wants to know something of it,
/// puts a cell in its place, and hands that over to the thread: from then on this is the `Making` of that cell.
///
/// Soundness of the unmanaged references: whoever calls keeps the injector alive, and that the template; and a thread
/// keeps its context.
@safe
@usableFromInline
struct OwnMaking {
  private let template: Unmanaged<AnyEntry>
  private let own: OwnPlace
  private let injector: Unmanaged<Injector>
  private let thread: Unmanaged<ThreadContext>

  /// Where an instance is copied to, to be moved from there at once.
  @usableFromInline
  static func copy(on thread: Unmanaged<ThreadContext>) -> UnsafeMutableRawPointer {
    unsafe thread._withUnsafeGuaranteedRef { unsafe $0.makings.copy }
  }

  /// Goes on with what the injector has begun.
  ///
  /// - Throws: ``InjectorError/depthExceeded(_:depth:)``.
  @usableFromInline
  init(
    _ template: Unmanaged<AnyEntry>, _ own: OwnPlace, in injector: borrowing Injector,
    on thread: Unmanaged<ThreadContext>
  ) throws(InjectorError) {
    unsafe (self.template, self.thread) = unsafe (template, thread)
    self.own = own
    unsafe self.injector = unsafe .passUnretained(injector)
    let refusal = unsafe thread._withUnsafeGuaranteedRef { context in
      context.sessionDepth += 1
      return unsafe context.begin(
        Unmanaged.fromOpaque(template.toOpaque()), keeper: injector.depth, isRecorded: false, in: injector)
    }
    if let refusal { throw refuse(refusal) }
  }

  @inline(never)
  private func refuse(_ refusal: InjectorError) -> InjectorError {
    if unsafe injector._withUnsafeGuaranteedRef({ unsafe $0.cancelOwn(own, on: thread) }) {
      return settle(refusal) ?? refusal
    }
    let cell = unsafe takeCell()
    defer { unsafe cell.release() }
    return unsafe shared(by: cell).refuse(refusal)
  }

  /// Keeps the instance, and leaves the level of the resolution.
  ///
  /// - Returns: `false` if that takes a cell.
  @inlinable
  func keep<Service: Sendable>(_ service: Service) -> Bool {
    unsafe keep(MemoryLayout<Service>.size, alignment: MemoryLayout<Service>.alignment) { place in
      unsafe place.initializeMemory(as: Service.self, to: service)
    }
  }

  @usableFromInline
  func keep(_ size: Int, alignment: Int, _ initialize: (UnsafeMutableRawPointer) -> Void) -> Bool {
    if unsafe shared(by: template).isUnsettled { return false }
    let isKept = unsafe injector._withUnsafeGuaranteedRef { injector in
      unsafe injector.keepOwn(own, on: thread, size: size, alignment: alignment, initialize)
    }
    if isKept { unsafe thread._withUnsafeGuaranteedRef { $0.pop() } }
    return isKept
  }

  /// Ends what could not be made.
  ///
  /// - Returns: What went wrong.
  @usableFromInline
  func end(_ failure: InjectorError) -> InjectorError {
    if unsafe injector._withUnsafeGuaranteedRef({ unsafe $0.cancelOwn(own, on: thread) }) {
      unsafe thread._withUnsafeGuaranteedRef { $0.pop() }
      return settle(failure) ?? failure
    }
    let cell = unsafe takeCell()
    defer { unsafe cell.release() }
    return unsafe shared(by: cell).end(failure)
  }

  /// Ends the session, if this was the outermost request.
  ///
  /// - Returns: What went wrong, here or before.
  @usableFromInline
  func settle(_ failure: InjectorError?) -> InjectorError? { unsafe shared(by: template).settle(failure) }

  /// The cell that is in place of this, or else a new one; retained.
  @usableFromInline
  func takeCell() -> Unmanaged<AnyEntry> {
    unsafe injector._withUnsafeGuaranteedRef { unsafe $0.takeOwnCell(of: template, own, on: thread) }
  }

  /// The making of a cell in its place.
  @usableFromInline
  func shared(by cell: Unmanaged<AnyEntry>) -> Making {
    unsafe Making(of: cell, in: injector, on: thread)
  }
}
