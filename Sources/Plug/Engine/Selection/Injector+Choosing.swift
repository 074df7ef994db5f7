public import Synchronization

extension Injector {
  /// Gets the winner of a service for a context.
  @inlinable
  @inline(__always)
  func choose<Service: Sendable, Context: Sendable>(
    _ service: Service.Type, _ tag: Tag?, in context: Context, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) -> Service {
    guard !registrations.instrumentation.isOverseeing, let found = unsafe findQuickly(ObjectIdentifier(service), tag)
    else { return try chooseOverseen(service, tag, in: context, fileID, line) }
    defer { unsafe found.end() }
    do throws(InjectorError) {
      return try unsafe get(service, from: found.entry, in: context, isSwitched: false)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  /// The same, where candidates may have been switched.
  @inlinable
  @inline(never)
  func chooseOverseen<Service: Sendable, Context: Sendable>(
    _ service: Service.Type, _ tag: Tag?, in context: Context, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) -> Service {
    guard !registrations.instrumentation.isActive, let found = unsafe findQuickly(ObjectIdentifier(service), tag)
    else { return try chooseStepwise(service, tag, in: context, fileID, line) }
    defer { unsafe found.end() }
    do throws(InjectorError) {
      return try unsafe get(service, from: found.entry, in: context, isSwitched: true)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  @inlinable
  func chooseStepwise<Service: Sendable, Context: Sendable>(
    _ service: Service.Type, _ tag: Tag?, in context: Context, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) -> Service {
    try withActiveInjector(ServiceKey(service, tag), fileID, line) { injector throws(InjectorError) in
      guard let entry: Entry<Service> = try injector.lookUp(service, tag, givesContext: true) else {
        return try injector.derive(service, tag, in: context)
      }
      return try injector.winner(of: entry, in: context)
    }
  }

  /// Finds what is registered for a service, if that needs no more than a look: `nil` if the way may not be cut short,
  /// or the service is not here.
  @inlinable
  @inline(__always)
  func findQuickly(_ type: ObjectIdentifier, _ tag: Tag?) -> Registrations.Found? {
    let state = registrations.state.load(ordering: .acquiring)
    if state == Registrations.State.sealed {
      return unsafe registrations.find(type, tag).map { unsafe Registrations.Found($0, isRetained: false) }
    }
    if state == Registrations.State.open {
      let entry = unsafe ReadCopyUpdate.read { unsafe registrations.find(type, tag)?.retain() }
      return unsafe entry.map { unsafe Registrations.Found($0, isRetained: true) }
    }
    return unsafe registrations.findInScope(type, tag)
  }

  /// Gets the winner of an entry that the caller protects.
  ///
  /// Soundness of the casts: as of that in `Registrations.find`, and in `AnySelector.matching`; an entry is a cell or a
  /// selector, and says which.
  @inlinable
  @inline(__always)
  func get<Service: Sendable, Context: Sendable>(
    _ service: Service.Type, from found: Unmanaged<AnyEntry>, in context: Context, isSwitched: Bool
  ) throws(InjectorError) -> Service {
    let entry = unsafe Unmanaged<Entry<Service>>.fromOpaque(found.toOpaque())
    let any = unsafe Unmanaged<AnySelector<Service>>.fromOpaque(found.toOpaque())
    guard unsafe entry._withUnsafeGuaranteedRef({ $0.isSelector }),
      unsafe any._withUnsafeGuaranteedRef({ ObjectIdentifier($0.contextType) == ObjectIdentifier(Context.self) })
    else { return try unsafe winner(of: entry.takeUnretainedValue(), in: context) }
    let selector = unsafe Unmanaged<Selector<Service, Context>>.fromOpaque(found.toOpaque())
    if isSwitched, registrations.instrumentation.isFollowed {
      let watched = unsafe selector.takeUnretainedValue()
      if let service = try watched.firstWatched(in: context, for: self) { return service }
      throw watched.noCandidate(in: context, for: self)
    }
    var failure: InjectorError?
    let chosen = unsafe selector._withUnsafeGuaranteedRef { selector -> Int? in
      do throws(InjectorError) {
        if isSwitched { return try selector.chooseSwitched(in: context, for: self) }
        return try selector.choose(in: context, for: self)
      } catch {
        failure = error
        return nil
      }
    }
    guard let chosen else {
      throw unsafe failure ?? entry._withUnsafeGuaranteedRef { $0.noCandidate(in: context, for: self) }
    }
    if let built = unsafe selector._withUnsafeGuaranteedRef({ unsafe $0.built(chosen) }) { return unsafe built.pointee }
    let instance = try unsafe selector.takeUnretainedValue().instance(at: chosen, in: context, for: self)
    if let instance { return instance }
    throw unsafe entry._withUnsafeGuaranteedRef { $0.noCandidate(in: context, for: self) }
  }

  /// The winner; an error if there is none.
  @inlinable
  func winner<Service: Sendable, Context: Sendable>(
    of entry: Entry<Service>, in context: Context
  ) throws(InjectorError) -> Service {
    if let service = try entry.first(in: context, for: self) { return service }
    throw entry.noCandidate(in: context, for: self)
  }
}
