/// What has been chosen, and what decided that beside the rules.
struct OverseenChoice {
  /// The place of the candidate.
  let place: Int
  let switched: Switched
  /// What could not be made before.
  var passedOver = PassedOver()
}

/// Choosing where more than the rules decides, or someone wants to know what is chosen.
extension Selector {
  /// Chooses as the rules say, but for what has been switched, and what cannot be made.
  ///
  /// - Throws: If no candidate applies, what could not be made, or what has interrupted the choice.
  func overseenChoice(
    _ switched: Switched, in context: Context, for injector: Injector, after passedOver: PassedOver = PassedOver()
  ) throws(InjectorError) -> OverseenChoice? {
    if let forced = switched.forced, !passedOver.contains(forced) {
      return OverseenChoice(place: forced, switched: switched, passedOver: passedOver)
    }
    let place: Int?
    do throws(InjectorError) {
      place = try applying(switched, passedOver, in: context, for: injector) { isAvailable in
        let first = candidates.indices.first(where: isAvailable)
        return lots.isEmpty ? first : first.map { drawnStepwise($0, in: context, where: isAvailable) }
      }
    } catch {
      throw passedOver.error ?? error
    }
    return place.map { OverseenChoice(place: $0, switched: switched, passedOver: passedOver) }
  }

  func winner(in context: Context, for injector: Injector) throws(InjectorError) -> String? {
    let choice = try overseenChoice(switched(for: injector), in: context, for: injector, after: quarantined)
    return choice.map { candidates[$0.place].id }
  }

  /// Chooses all that apply, in the same way.
  func overseenChoices(in context: Context, for injector: Injector) throws(InjectorError) -> [OverseenChoice] {
    let switched = switched(for: injector)
    let forced = switched.forced.map { [$0] } ?? []
    let applying = try applying(switched, PassedOver(), in: context, for: injector) { isAvailable -> [Int]? in
      let places = candidates.indices.filter { !forced.contains($0) && isAvailable($0) }
      return places.isEmpty && forced.isEmpty ? nil : places
    }
    let places = forced + (lots.isEmpty ? applying ?? [] : drawn(applying ?? [], in: context))
    return places.map { OverseenChoice(place: $0, switched: switched) }
  }

  /// Chooses among the candidates that are neither disabled nor passed over; the rules of others do not run.
  ///
  /// - Throws: If nothing is chosen, what has interrupted the choice.
  private func applying<Chosen>(
    _ switched: Switched, _ passedOver: PassedOver, in context: Context, for injector: Injector,
    _ choose: ((Int) -> Bool) -> Chosen?
  ) throws(InjectorError) -> Chosen? {
    let thread = try unsafe Resolution.beginRules(of: self, in: injector)
    defer { unsafe Resolution.endRules(thread) }
    var cache = GateCache()
    let chosen = choose { place in
      !switched.disabled.contains(place) && !passedOver.contains(place)
        && applies(place, in: context, from: injector, &cache)
    }
    if chosen == nil, let interruption = unsafe Resolution.interruption(of: thread) { throw interruption }
    return chosen
  }

  /// The place of what is chosen where candidates may have been switched.
  @inlinable
  func chooseSwitched(in context: Context, for injector: Injector) throws(InjectorError) -> Int? {
    guard lots.isEmpty, let look = unsafe SwitchMemory.look(at: switchMemory, in: injector.registrations) else {
      return try overseenPlace(in: context, for: injector)
    }
    let chosen = try unsafe choose(in: context, for: injector, look)
    return unsafe look.isSame ? chosen : try overseenPlace(in: context, for: injector)
  }

  @inlinable
  @inline(__always)
  func choose(in context: Context, for injector: Injector, _ look: SwitchMemory.Look) throws(InjectorError) -> Int? {
    let forced = unsafe look.forced
    if forced >= 0 { return forced }
    let thread = try unsafe Resolution.beginRules(of: self, in: injector)
    defer { unsafe Resolution.endRules(thread) }
    var cache = GateCache()
    for index in unsafe 0..<steps.count
    where unsafe !look.isDisabled(index) && applies(index, in: context, from: injector, &cache) {
      return index
    }
    if let interruption = unsafe Resolution.interruption(of: thread) { throw interruption }
    return nil
  }

  @usableFromInline
  func overseenPlace(in context: Context, for injector: Injector) throws(InjectorError) -> Int? {
    try overseenChoice(switched(for: injector), in: context, for: injector)?.place
  }

  /// The instance of what is chosen.
  @inlinable
  @inline(never)
  func firstOverseen(in context: Context, for injector: Injector) throws(InjectorError) -> Service? {
    if injector.registrations.isFollowed { return try firstWatched(in: context, for: injector) }
    guard let chosen = try chooseSwitched(in: context, for: injector) else { return nil }
    if let built = unsafe built(chosen) { return unsafe built.pointee }
    return try instance(at: chosen, in: context, for: injector)
  }

  /// The same where someone wants to know what is chosen: without a detour if the rules alone decide that, and the
  /// instance exists.
  @inlinable
  func firstWatched(in context: Context, for injector: Injector) throws(InjectorError) -> Service? {
    if injector.registrations.isWatched { return try firstFollowed(in: context, for: injector, isChecked: false) }
    if injector.registrations.instrumentation.hasSwitches { return try firstSwitched(in: context, for: injector) }
    guard let chosen = try choose(in: context, for: injector) else { return nil }
    guard let built = unsafe built(chosen) else {
      return try firstFollowed(chosen, in: context, for: injector, isChecked: false)
    }
    expose(chosen, in: context, injector)
    return unsafe built.pointee
  }

  /// The same where candidates may have been switched.
  @inlinable
  func firstSwitched(in context: Context, for injector: Injector) throws(InjectorError) -> Service? {
    guard lots.isEmpty, let look = unsafe SwitchMemory.look(at: switchMemory, in: injector.registrations) else {
      return try firstFollowed(in: context, for: injector, isChecked: false)
    }
    let chosen = try unsafe choose(in: context, for: injector, look)
    let isByRules = unsafe look.isEmpty
    guard unsafe look.isSame else { return try firstFollowed(in: context, for: injector, isChecked: false) }
    guard let chosen else { return nil }
    guard isByRules, let built = unsafe built(chosen) else {
      return try unsafe firstFollowed(chosen, look, in: context, for: injector)
    }
    expose(chosen, in: context, injector)
    return unsafe built.pointee
  }

  /// The instance of what is chosen where someone wants to know that.
  ///
  /// - Parameters:
  ///   - chosen: The place of what the rules alone have chosen already, if they have.
  ///   - isChecked: Whether the selector is not registered, so that what registering checks is checked now.
  @usableFromInline
  func firstFollowed(
    _ chosen: Int? = nil, in context: Context, for injector: Injector, isChecked: Bool
  ) throws(InjectorError) -> Service? {
    let choice = chosen.map { OverseenChoice(place: $0, switched: Switched()) }
    return try exposed(choice, in: context, for: injector, isChecked: isChecked)
  }

  /// The same for what has been chosen with the switches of a look; chosen anew if these have changed.
  @usableFromInline
  func firstFollowed(
    _ chosen: Int, _ look: SwitchMemory.Look, in context: Context, for injector: Injector
  ) throws(InjectorError) -> Service? {
    let choice = unsafe look.switched.map { OverseenChoice(place: chosen, switched: $0) }
    return try exposed(choice, in: context, for: injector, isChecked: false)
  }

  private func exposed(
    _ chosen: OverseenChoice?, in context: Context, for injector: Injector, isChecked: Bool
  ) throws(InjectorError) -> Service? {
    guard let found = try first(chosen, in: context, for: injector, isChecked: isChecked) else { return nil }
    expose(found.choice, in: context, injector)
    return found.service
  }

  /// The instances of all that apply and can be made, with their ids.
  @usableFromInline
  func allOverseen(
    in context: Context, for injector: Injector, isChecked: Bool
  ) throws(InjectorError) -> [(id: String, service: Service)] {
    var services: [(id: String, service: Service)] = []
    var passedOver = PassedOver()
    for var choice in try overseenChoices(in: context, for: injector) {
      report(choice, in: context, injector)
      guard let service = try made(choice.place, for: injector, isChecked, &passedOver) else { continue }
      services.append((candidates[choice.place].id, service))
      choice.passedOver = passedOver
      expose(choice, in: context, injector)
    }
    return services
  }

  func report(_ choice: OverseenChoice, in context: Context, _ injector: Injector) {
    guard injector.registrations.isWatched else { return }
    let id = candidates[choice.place].id
    injector.reportSelection(of: id, for: declaration)
    injector.logSelection(of: id, for: declaration) { [weak injector] in self.explanation(in: context, for: injector) }
  }
}
