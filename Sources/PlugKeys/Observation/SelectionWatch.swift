package import Plug

/// Observes the properties that decide which candidate wins, and chooses again when one of them changes.
///
/// A property that a choice reads is observed before it is read, so that no change is missed.
final class SelectionWatch: Observer {
  typealias Stream = AsyncThrowingStream<String?, any Error>

  private struct Place: Sendable {
    let properties: Properties
    let property: any Property.Type

    func isSame(as other: Place) -> Bool { properties === other.properties && property == other.property }
  }

  private struct Observed {
    /// The observed properties, and the properties read since the choice began.
    var places: [Place] = []
    var read: [Place] = []
    var last: String??
  }

  let looks = Looks()
  private let observed = Guarded(Observed())
  private let service: String
  /// The properties of the injector with whose end the sequence ends.
  private let own: Properties
  private let continuation: Stream.Continuation
  private let choose: @Sendable () throws -> String??

  /// - Parameter choose: Chooses the winner; `nil` if the injector has ended.
  init(
    _ service: String, until own: Properties, _ continuation: Stream.Continuation,
    _ choose: @escaping @Sendable () throws -> String??
  ) {
    self.service = service
    self.own = own
    self.continuation = continuation
    self.choose = choose
  }

  func begin() {
    if !own.attach(self, to: Ending.self) { end() }
    look()
  }

  /// The watch that is choosing on the calling thread.
  static var current: SelectionWatch? { Run.current?.observer as? SelectionWatch }

  /// Notes that a property is about to be read.
  func note(_ properties: Properties, _ property: any Property.Type) {
    let place = Place(properties: properties, property: property)
    let isNew = observed.withLock { observed in
      if observed.read.contains(where: { $0.isSame(as: place) }) { return false }
      observed.read.append(place)
      return !observed.places.contains { $0.isSame(as: place) }
    }
    if isNew { _ = properties.attach(self, to: property) }
  }

  func see() {
    let winner = Result { try choose() }
    let unread = observed.withLock { observed in
      defer { (observed.places, observed.read) = (observed.read, []) }
      return observed.places.filter { place in !observed.read.contains { $0.isSame(as: place) } }
    }
    for place in unread { place.properties.detach(self, from: place.property) }
    if looks.areOver { return detach() }
    switch winner {
    case .success(let winner?): report(winner)
    case .success(nil): break
    case .failure(let error): continuation.finish(throwing: error)
    }
  }

  private func report(_ winner: String?) {
    let last = observed.withLock { observed in
      defer { observed.last = winner }
      return observed.last
    }
    if last != winner { continuation.yield(winner) }
  }

  func finish() { continuation.finish() }

  /// The properties may belong to another injector that a rule has read, and its end can change the selection.
  func propertiesHaveEnded(_ properties: Properties) {
    if properties === own { end() } else { look() }
  }

  func trapWithoutEnd() -> Never {
    fatalError(
      """
      selections(of:) of \(service) never settles: a rule sets a property that it reads, to a new value each time.
      To fix this:
        - Let rules only read properties, not set them.
      """)
  }

  func stop() {
    cancel()
    detach()
  }

  private func detach() {
    own.detach(self, from: Ending.self)
    let places = observed.withLock { observed in
      defer { observed = Observed() }
      return observed.places + observed.read
    }
    for place in places { place.properties.detach(self, from: place.property) }
  }
}

extension Injector {
  /// The winners of a service, without repetitions, until this injector ends.
  ///
  /// - Parameter choose: Chooses in the injector that it receives.
  package func winners(
    of service: any Any.Type, _ choose: @escaping @Sendable (Injector) throws -> String?
  ) -> AsyncThrowingStream<String?, any Error> {
    let (stream, continuation) = SelectionWatch.Stream.makeStream(of: String?.self)
    let injector = active
    do throws(InjectorError) {
      let own = try Properties.of(injector, for: Ending.self)
      let watch = SelectionWatch(typeName(service), until: own, continuation) { [weak injector] in
        guard let injector else { return nil }
        let winner = Result { try choose(injector) }
        // If the injector has been closed meanwhile, the rules did not see the right values.
        return injector.isClosedItself ? nil : .some(try winner.get())
      }
      let observation = injector.observeVerdicts { watch.look() }
      continuation.onTermination = { _ in
        observation.end()
        watch.stop()
      }
      watch.begin()
    } catch {
      continuation.finish(throwing: error)
    }
    return stream
  }
}
