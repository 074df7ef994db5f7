import Observation
import Plug

// The followers of a property: observers, and Swift's Observation.

extension Properties {
  /// The followers of a property in one injector: its observers and its tracking.
  struct Follower {
    let tracking: Tracking?
    let path: Tracking.Path?
    let observers: [any Observer]

    func willChange() { if let path { tracking?.willChange(path) } }
    func didChange() { if let path { tracking?.didChange(path) } }
  }

  /// The followers of a property here, and in scopes that inherit the value from here.
  func audience(of id: ObjectIdentifier) -> [Follower] {
    var found: [Follower] = []
    var open: [Properties] = []
    var next: Properties? = self
    while let properties = next {
      let (entry, tracking, inner) = properties.state.withLock { state in
        (state.entries[id], state.tracking, state.inner.isEmpty ? [] : state.inner.values.compactMap(\.properties))
      }
      if properties === self || entry?.source.isSet != true {
        if let entry { found.append(Follower(tracking: tracking, path: entry.path, observers: entry.observers)) }
        open += inner
      }
      next = open.popLast()
    }
    return found
  }

  /// Notifies all followers that a property may have a new value. A follower that read the old value after the
  /// announcement of the change is notified here.
  package func tell(of property: any Property.Type) {
    let audience = audience(of: property.id)
    for one in audience {
      one.willChange()
      one.didChange()
    }
    for one in audience {
      for observer in one.observers { observer.look() }
    }
  }

  /// - Returns: `false` if the injector is closed, so that nothing will change.
  func attach(_ observer: any Observer, to property: any Property.Type) -> Bool {
    prepare(property)
    link()
    return state.withLock { [id = property.id] state in
      if state.isClosed { return false }
      state.entries.change(id) { $0.observers.append(observer) }
      return true
    }
  }

  func detach(_ observer: any Observer, from property: any Property.Type) {
    // Released outside of the lock, since this may be the last reference to a user's closure.
    let removed = state.withLock { [id = property.id] state in
      state.entries.change(id) { entry in
        entry.observers.firstIndex { $0 === observer }.map { entry.observers.remove(at: $0) }
      }
    }
    withExtendedLifetime(removed) {}
  }

  /// The source of a property's value here, for a read that Swift's Observation records; `nil` if the injector is
  /// closed.
  func trackedSource(of property: any Property.Type) -> Source? {
    let id = property.id
    var (source, tracking, path) = state.withLock { $0.tracked(id) }
    if tracking == nil || path == nil {
      // A value of its own changes here alone, so most scopes never subscribe.
      if source?.isSet != true {
        prepare(property)
        link()
      }
      let known = self.path(of: property)
      (source, tracking, path) = state.withLock { state in
        let isOpen = state.entries.change(id) { $0.path = known } != nil
        if isOpen, state.tracking == nil { state.tracking = Tracking() }
        return state.tracked(id)
      }
    }
    if let tracking, let path { tracking.access(path) }
    return source
  }

  /// The path of a property, which is made once, because making it takes long.
  private func path(of property: any Property.Type) -> Tracking.Path {
    if let outer { return outer.path(of: property) }
    let id = property.id
    if let known = state.withLock({ $0.entries[id]?.path }) { return known }
    prepare(property)
    let made = Tracking.path(of: property)
    state.withLock { state in state.entries.change(id) { $0.path = made } }
    return made
  }

  /// Subscribes to the changes of the parent.
  func link() {
    guard let outer, state.withLock({ !$0.isLinked }) else { return }
    outer.link()
    outer.state.withLock { $0.inner[ObjectIdentifier(self)] = Inner(properties: self) }
    state.withLock { $0.isLinked = true }
  }
}

extension Properties.State {
  /// What a read needs that Swift's Observation records.
  fileprivate func tracked(_ id: ObjectIdentifier) -> (Properties.Source?, Tracking?, Tracking.Path?) {
    guard let place = entries.place(of: id) else { return (nil, nil, nil) }
    return (entries.list[place].source, tracking, entries.list[place].path)
  }
}

/// The properties of an injector as an object of Swift's Observation.
final class Tracking: Observable, Sendable {
  typealias Path = any KeyPath<Tracking, Void> & Sendable

  private let registrar = ObservationRegistrar()

  private struct Name: Hashable, Sendable {
    let id: ObjectIdentifier
  }

  private subscript(name: Name) -> Void { () }

  static func path(of property: any Property.Type) -> Path { \Tracking.[Name(id: property.id)] }

  func access(_ path: Path) { registrar.access(self, keyPath: path) }
  func willChange(_ path: Path) { registrar.willSet(self, keyPath: path) }
  func didChange(_ path: Path) { registrar.didSet(self, keyPath: path) }
}
