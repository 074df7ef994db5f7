import Observation
package import Plug

/// The properties of one injector, made when one of them is first used there.
///
/// A value is an immutable box. What an injector has not set it has from the one around it, and the outermost from the
/// default value.
package final class Properties: EndingAttachment, CopiedAttachment {
  /// Where the value of a property comes from.
  enum Source {
    /// The injector around this one, which a scope has.
    case inherited
    /// The default value, in the outermost injector.
    case byDefault(Cell)
    case set(AnyBox)

    /// Whether nothing has been set or reset between one and the other.
    func isSame(as other: Source) -> Bool {
      switch (self, other) {
      case (.inherited, .inherited): true
      case (.byDefault(let own), .byDefault(let other)): own === other
      case (.set(let own), .set(let other)): own === other
      default: false
      }
    }
  }

  private struct Entry {
    var source: Source
    /// What Swift's Observation knows the property by.
    let path: Path
    var observers: [any Observer] = []

    var isSet: Bool { if case .set = source { true } else { false } }
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// The properties of scopes of this injector, which may have values from here.
    var inner: [UInt: Inner] = [:]
    var lastNumber: UInt = 0
    var isClosed = false
  }

  private struct Inner { weak var properties: Properties? }

  private let outer: Properties?
  /// The number that the injector around this one knows this by.
  private let number: UInt
  private let registrar = ObservationRegistrar()
  private let state: Guarded<State>

  private init(in outer: Properties?, _ entries: [ObjectIdentifier: Entry] = [:]) {
    self.outer = outer
    state = Guarded(State(entries: entries))
    number = outer?.state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    } ?? 0
    outer?.state.withLock { [number] state in state.inner[number] = Inner(properties: self) }
  }

  deinit {
    outer?.state.withLock { [number] state in state.inner[number] = nil }
  }

  // MARK: In the life of an injector

  /// The properties of an injector.
  static func of(_ injector: Injector, for property: any Property.Type) throws(InjectorError) -> Properties {
    if let present = injector.attachment(Properties.self) { return present }
    let outer: Properties?
    do throws(InjectorError) {
      outer = try injector.parent.map { (parent) throws(InjectorError) in try of(parent, for: property) }
    } catch {
      throw injector.closed(property.key, by: injector)
    }
    let made = injector.updateAttachment(Properties.self) { $0 ?? Properties(in: outer) }
    guard let made, !injector.isClosedItself else {
      made?.end()
      throw injector.closed(property.key, by: injector)
    }
    return made
  }

  /// A copy has the values that are set.
  package func copy(for injector: Injector) -> Properties {
    let entries = state.withLock { $0.entries.filter { $0.value.isSet } }
    return Properties(
      in: injector.parent.flatMap { try? Properties.of($0, for: Ending.self) },
      entries.mapValues { Entry(source: $0.source, path: $0.path) })
  }

  package var isIdle: Bool { state.withLock { state in !state.entries.values.contains { $0.isSet } } }

  package func end() {
    let entries = state.withLock { state in
      defer { state.entries = [:] }
      state.isClosed = true
      return state.entries
    }
    for entry in entries.values {
      for observer in entry.observers { observer.propertiesHaveEnded(self) }
    }
  }

  // MARK: Values

  /// What a property has been found to be.
  enum Finding {
    /// It is set in the injector that is so many levels further out.
    case value(AnyBox, levels: Int)
    /// It has the default value, in the outermost injector.
    case byDefault(Cell)
    case closed
  }

  func find(_ property: any Property.Type) -> Finding {
    let id = property.id
    var (level, levels) = (self, 0)
    while true {
      let (source, isClosed) = level.state.withLock { ($0.entries[id]?.source, $0.isClosed) }
      if isClosed { return .closed }
      switch source ?? .inherited {
      case .set(let box): return .value(box, levels: levels)
      case .byDefault(let cell): return .byDefault(cell)
      case .inherited:
        guard let outer = level.outer else { return level.prepare(property) == nil ? .closed : level.find(property) }
        (level, levels) = (outer, levels + 1)
      }
    }
  }

  /// The value; `nil` if the default value has not been made.
  func current(_ property: any Property.Type) -> AnyBox? {
    switch find(property) {
    case .value(let box, _): box
    case .byDefault(let cell): cell.box
    case .closed: nil
    }
  }

  func source(of property: any Property.Type) -> Source? {
    prepare(property) == nil ? nil : state.withLock { [id = property.id] in $0.entries[id]?.source }
  }

  /// Makes the entry of a property, here and further out, so that it can be followed.
  ///
  /// - Returns: `nil` if the injector is closed.
  @discardableResult
  private func prepare(_ property: any Property.Type) -> Path? {
    let id = property.id
    let (known, isClosed) = state.withLock { ($0.entries[id]?.path, $0.isClosed) }
    if isClosed { return nil }
    if let known { return known }
    let (source, made): (Source, Path)
    if let outer {
      guard let path = outer.prepare(property) else { return nil }
      (source, made) = (.inherited, path)
    } else {
      (source, made) = (.byDefault(property.makeDefault()), \Properties.[Name(id: id)])
    }
    return state.withLock { state in
      if state.isClosed { return nil }
      if let first = state.entries[id] { return first.path }
      state.entries[id] = Entry(source: source, path: made)
      return made
    }
  }

  enum Change {
    case made
    /// Another change came first.
    case late
    case closed
  }

  /// Gives a property another value, and tells all that it may concern.
  ///
  /// - Parameter old: What it must still have; anything if it is `nil`.
  func replace(_ property: any Property.Type, by new: Source, unlessChangedSince old: Source? = nil) -> Change {
    guard let path = prepare(property) else { return .closed }
    let id = property.id
    let before = audience(of: id)
    for one in before { one.properties.registrar.willSet(one.properties, keyPath: path) }
    let (change, replaced) = state.withLock { state -> (Change, Source?) in
      guard let entry = state.entries[id] else { return (.closed, nil) }
      if let old, !old.isSame(as: entry.source) { return (.late, nil) }
      state.entries[id]?.source = new
      return (.made, entry.source)
    }
    for one in before { one.properties.registrar.didSet(one.properties, keyPath: path) }
    if case .made = change { tell(of: property, path) }
    withExtendedLifetime(replaced) {}  // It ends here, outside of the lock.
    return change
  }

  /// Tells all that a property may have another value. What has looked at the old one after it was announced that it
  /// would change hears of it here.
  func tell(of property: any Property.Type, _ path: Path? = nil) {
    guard let path = path ?? prepare(property) else { return }
    let audience = audience(of: property.id)
    for one in audience {
      one.properties.registrar.willSet(one.properties, keyPath: path)
      one.properties.registrar.didSet(one.properties, keyPath: path)
    }
    for one in audience {
      for observer in one.observers { observer.look() }
    }
  }

  /// These properties and those further in that have a value from here.
  private func audience(of id: ObjectIdentifier) -> [(properties: Properties, observers: [any Observer])] {
    var found = [(properties: self, observers: state.withLock { $0.entries[id]?.observers ?? [] })]
    var open = state.withLock { $0.inner.isEmpty ? [] : $0.inner.values.compactMap(\.properties) }
    while let next = open.popLast() {
      let (entry, inner) = next.state.withLock { ($0.entries[id], $0.inner.values.compactMap(\.properties)) }
      guard let entry, !entry.isSet else { continue }
      found.append((next, entry.observers))
      open += inner
    }
    return found
  }

  // MARK: Observers

  /// - Returns: `false` if the injector is closed, so that nothing will change.
  func attach(_ observer: any Observer, to property: any Property.Type) -> Bool {
    prepare(property)
    return state.withLock { [id = property.id] state in
      if state.isClosed { return false }
      state.entries[id]?.observers.append(observer)
      return true
    }
  }

  func detach(_ observer: any Observer, from property: any Property.Type) {
    // Released outside of the lock, since the last reference to users' code may go.
    let removed = state.withLock { [id = property.id] state -> (any Observer)? in
      guard let index = state.entries[id]?.observers.firstIndex(where: { $0 === observer }) else { return nil }
      return state.entries[id]?.observers.remove(at: index)
    }
    withExtendedLifetime(removed) {}
  }
}

// MARK: Swift's Observation

extension Properties: Observable {
  typealias Path = any KeyPath<Properties, Void> & Sendable

  struct Name: Hashable, Sendable {
    let id: ObjectIdentifier
  }

  private subscript(name: Name) -> Void { () }

  /// Shows Swift's Observation that a property is read through this injector.
  ///
  /// What follows it there is known to this injector alone, and released with it.
  func access(_ property: any Property.Type) {
    if let path = prepare(property) { registrar.access(self, keyPath: path) }
  }
}

/// A property that nothing sets. Its observers are told when an injector ends.
enum Ending: Property {
  static var defaultValue: Bool { false }
}
