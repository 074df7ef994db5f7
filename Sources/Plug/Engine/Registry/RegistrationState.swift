/// What is known of registrations beside those that there are.
struct RegistrationState {
  /// An object, made when there is something to be known, because every scope has registrations.
  final class Content {
    var previousRegistrations = PreviousRegistrations()

    /// What a private copy has no more of what the original has.
    var removed: Set<ServiceKey> = []

    /// What has been replaced while readers are not protected, kept until the injector ends.
    var retired: [AnyEntry] = []

    /// How many trace the injector or one of its scopes.
    var tracers = 0

    /// What is read since the seal.
    var sealed: SealedSlots?

    /// What wraps the instances of services, whether or not these are registered yet; replaced whole, see `Guarded`.
    var decorations: [ServiceKey: [AnyDecoration]] = [:]

    /// The keys of what is made from arguments, by service.
    var argumentKeys: [ServiceKey: [ServiceKey]] = [:]

    /// The services that are chosen at points, by the ids of these.
    var points: [String: [ServiceKey]] = [:]
  }

  private(set) var known: Content?

  /// The first state of a property that a scope has got. Most scopes have this and nothing else, and need no table.
  var firstState: (type: ObjectIdentifier, state: AnyEntry)?

  /// The same, made if there is none.
  var content: Content {
    mutating get {
      if let known { return known }
      let made = Content()
      known = made
      return made
    }
  }

  func decorations(of key: ServiceKey) -> [AnyDecoration] { known?.decorations[key] ?? [] }

  /// Notes what takes the place of an entry.
  mutating func index(_ new: AnyEntry?, inPlaceOf old: AnyEntry?) {
    let ids = (old?.pointIDs ?? [], new?.pointIDs ?? [])
    if let key = new?.key ?? old?.key, ids.0 != ids.1 {
      let content = content
      for id in ids.0 { content.points[id, default: []].removeAll { $0 == key } }
      for id in ids.1 where content.points[id]?.contains(key) != true { content.points[id, default: []].append(key) }
    }
    guard let entry = new ?? old, entry.decoratedKey != nil, case let key = entry.key,
      let type = key.service as? any AnyArgumentsKey.Type
    else { return }
    let service = ServiceKey(type.service, key.tag)
    let content = content
    content.argumentKeys[service, default: []].removeAll { $0 == key }
    if new != nil { content.argumentKeys[service, default: []].append(key) }
  }

  /// Whether a new registration means nothing to what is known here.
  var isEmpty: Bool { known.map { $0.previousRegistrations.isEmpty && $0.decorations.isEmpty } ?? true }
}

/// The services that were registered once, for diagnostics: the latest ones, so that they do not pile up.
struct PreviousRegistrations {
  private static let limit = 64

  private var latest: [(service: ServiceKey, previousRegistration: InjectorError.PreviousRegistration)] = []

  var isEmpty: Bool { latest.isEmpty }

  subscript(service: ServiceKey) -> InjectorError.PreviousRegistration? {
    get { latest.first { $0.service == service }?.previousRegistration }
    set {
      latest.removeAll { $0.service == service }
      guard let newValue else { return }
      if latest.count == Self.limit { latest.removeFirst() }
      latest.append((service, newValue))
    }
  }
}
