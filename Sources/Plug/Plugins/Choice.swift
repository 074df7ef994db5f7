/// One choice that more than rules decides, or that a layer wants to know of.
package struct Choice {
  /// The candidates, and the service that they are of.
  package let candidates: CandidateOrdering
  package let service: Registration
  package let context: ContextReference
  private let selector: Selector
  /// What hooks had decided when the choice began, by the candidates' places.
  package let verdicts: [Int: Verdict]
  /// The place of the candidate that is chosen.
  package private(set) var place = -1
  /// The candidates that could not be made, in order; without an error those that were not tried.
  package private(set) var failures: [(place: Int, error: InjectorError?)] = []
  /// The candidates that are chosen no more.
  private var passed: Set<Int> = []

  /// - Returns: `nil` if rules alone decide, and no layer wants to know.
  init?(_ selector: Selector, _ service: Registration, in context: ContextReference, for injector: Injector) {
    let (candidates, hooks) = (selector.order, Layers.hooks(of: injector))
    if hooks.isEmpty, candidates.guards.isEmpty, Layers.watch == nil { return nil }
    (self.candidates, self.service, self.context, self.selector) = (candidates, service, context, selector)
    verdicts = candidates.verdicts(of: hooks, in: injector)
  }

  package var candidate: Entry { candidates.entries[place] }

  /// Passes over the candidates that are not tried now.
  mutating func passUntried() {
    for (place, one) in candidates.guards where one.refusal(of: candidates.entries[place].cell.registration) != nil {
      passed.insert(place)
    }
  }

  /// Chooses the first candidate that applies and has not been passed over.
  ///
  /// - Returns: Whether there is one.
  mutating func next(for injector: Injector) throws(InjectorError) -> Bool {
    if let forced = verdicts.keys.filter({ verdicts[$0] == .forced && !passed.contains($0) }).min() {
      place = forced
      return true
    }
    let decided = passed.union(verdicts.keys)
    let found: Int?
    do throws(InjectorError) {
      let (first, interruption) = try selector.evaluating(service, for: injector) {
        var choosing = Choosing(candidates, context, injector, without: decided)
        return choosing.first()
      }
      if first == nil, let interruption { throw interruption }
      found = first
    } catch {
      throw failures.lazy.compactMap(\.error).first ?? error
    }
    place = found ?? -1
    return found != nil
  }

  /// All that apply, in order.
  fileprivate func all(for injector: Injector) throws(InjectorError) -> [Int] {
    let forced = verdicts.keys.filter { verdicts[$0] == .forced }.sorted()
    let decided = Set(verdicts.keys)
    let (applying, interruption) = try selector.evaluating(service, for: injector) {
      var choosing = Choosing(candidates, context, injector, without: decided)
      return choosing.applying()
    }
    if applying.isEmpty, forced.isEmpty, let interruption { throw interruption }
    return forced + applying
  }

  /// Makes the candidate that is chosen.
  ///
  /// - Returns: `nil` if it is passed over.
  fileprivate mutating func make(
    for injector: Injector, _ provide: (Cell) throws(InjectorError) -> AnyBox?
  ) throws(InjectorError) -> AnyBox? {
    let (cell, round) = (candidate.cell, Level.current.with { $0.own.round })
    let registration = cell.registration
    passed.insert(place)
    var attempt: (any CandidateAttempt)?
    if let one = candidates.guards[place] {
      attempt = round?.take(registration) ?? one.attempt(at: registration)
      if attempt == nil {
        failures.append((place, nil))
        return nil
      }
    }
    Layers.note(.chosen(self), in: injector)
    do throws(InjectorError) {
      guard let box = try provide(cell) else { return nil }
      _ = attempt?.end(nil)
      Layers.note(.given(self), in: injector)
      Layers.watch?.note(.given(self), in: injector)
      return box
    } catch {
      if let attempt, let round, error.isRetried {
        round.keep(attempt, at: registration)
        throw error
      }
      guard attempt?.end(error) == true else { throw error }
      failures.append((place, error))
      Layers.note(.passed(self, error), in: injector)
      return nil
    }
  }

  fileprivate func choosing(_ place: Int) -> Choice {
    var choice = self
    choice.place = place
    return choice
  }
}

extension Injector {
  func firstBox(
    _ choice: Choice, _ provide: (Cell) throws(InjectorError) -> AnyBox?
  ) throws(InjectorError) -> AnyBox? {
    var choice = choice
    while try choice.next(for: self) {
      if let box = try choice.make(for: self, provide) { return box }
    }
    if let error = choice.failures.lazy.compactMap(\.error).first { throw error }
    return nil
  }

  func boxes(
    _ choice: Choice, _ provide: (Cell) throws(InjectorError) -> AnyBox?
  ) throws(InjectorError) -> [(id: String, box: AnyBox)] {
    var (choice, boxes) = (choice, [(id: String, box: AnyBox)]())
    for place in try choice.all(for: self) {
      choice = choice.choosing(place)
      if let box = try choice.make(for: self, provide) { boxes.append((choice.candidate.id, box)) }
    }
    return boxes
  }
}

extension Injector {
  /// What hooks decide about candidates here.
  package func verdicts(on candidates: CandidateOrdering) -> [Int: Verdict] {
    candidates.verdicts(of: Layers.hooks(of: self), in: self)
  }
}

extension CandidateOrdering {
  /// What hooks decide about candidates. An inner injector overrides what those around it have decided.
  func verdicts(of hooks: [(hook: any Hooks, level: Injector)], in injector: Injector) -> [Int: Verdict] {
    var verdicts: [Int: Verdict] = [:]
    for (hook, _) in hooks {
      let own = hook.verdicts(on: self, in: injector)
      if own.values.contains(.forced) { verdicts = verdicts.filter { $0.value != .forced } }
      verdicts.merge(own) { $1 }
    }
    return verdicts
  }
}
