package import Plug

/// The properties of one injector, made when one of them is first used there.
///
/// A value is an immutable box. An injector inherits unset values from its parent, and the outermost injector uses the
/// default value. Only an injector itself knows its followers, and its parents notify it of their changes, so that the
/// followers are released with the injector.
package final class Properties: Attachment {
  /// The source of a property's value.
  enum Source {
    /// The parent of a scope.
    case inherited
    /// The default value, in the outermost injector.
    case byDefault(Cell)
    case set(AnyBox)

    /// Whether nothing has been set or reset between the two sources.
    func isSame(as other: Source) -> Bool {
      switch (self, other) {
      case (.inherited, .inherited): true
      case (.byDefault(let own), .byDefault(let other)): own === other
      case (.set(let own), .set(let other)): own === other
      default: false
      }
    }

    var isSet: Bool { if case .set = self { true } else { false } }
  }

  struct Entry {
    let property: any Property.Type
    var source: Source
    /// The key path of the property in Swift's Observation; `nil` before the first read.
    var path: Tracking.Path?
    var observers: [any Observer] = []

    var id: ObjectIdentifier { ObjectIdentifier(property) }
    var isFollowed: Bool { path != nil || !observers.isEmpty }
  }

  struct State {
    var entries = Entries()
    /// The tracking of all properties, which is made when a property is first read.
    var tracking: Tracking?
    /// The properties of scopes of this injector that have followers there.
    var inner = [ObjectIdentifier: Inner]()
    /// Whether this object is among those of its parent.
    var isLinked = false
    var isClosed = false
  }

  struct Inner { weak var properties: Properties? }

  let outer: Properties?
  let state: Guarded<State>

  private init(in outer: Properties?, _ entries: Entries = Entries()) {
    self.outer = outer
    state = Guarded(State(entries: entries))
  }

  deinit {
    if state.withLock({ $0.isLinked }) { outer?.state.withLock { $0.inner[ObjectIdentifier(self)] = nil } }
  }

  // MARK: In the life of an injector

  /// The properties of an injector.
  package static func of(_ injector: Injector, for property: any Property.Type) throws(InjectorError) -> Properties {
    if let present = injector.attachment(Properties.self) { return present }
    var outer: Properties?
    if let parent = injector.parent {
      do { outer = try of(parent, for: property) } catch { throw injector.closedError(for: property.key) }
    }
    let new = Properties(in: outer)
    let made = injector.updateAttachment(Properties.self) { $0 ?? new } ?? new
    if injector.isClosedItself {
      made.end(keepsValues: false)
      throw injector.closedError(for: property.key)
    }
    return made
  }

  /// A copy has the values that are set.
  package func copy(for injector: Injector) -> Properties? {
    var entries = Entries()
    for entry in state.withLock({ $0.entries.list }) where entry.source.isSet {
      entries.add(Entry(property: entry.property, source: entry.source))
    }
    let copy = Properties(in: injector.parent.flatMap { try? Properties.of($0, for: Ending.self) }, entries)
    if injector.isClosedItself { copy.end(keepsValues: false) }
    return copy
  }

  package func end(keepsValues: Bool) {
    // The tracking releases the followers of Swift's Observation when it is released, outside of the lock.
    var (entries, tracking) = (Entries(), nil as Tracking?)
    state.withLock { state in
      swap(&tracking, &state.tracking)
      if keepsValues {
        entries = state.entries
        state.entries.removeObservers()
      } else {
        swap(&entries, &state.entries)
        state.isClosed = true
      }
    }
    withExtendedLifetime(tracking) {}
    for entry in entries.list {
      for observer in entry.observers { observer.propertiesHaveEnded(self) }
    }
  }

  private var isClosed: Bool { state.withLock { $0.isClosed } || outer?.isClosed ?? false }

  /// The properties that are set in an injector itself.
  package static func set(in injector: Injector) -> [Key] {
    let entries = injector.attachment(Properties.self)?.state.withLock { $0.entries.list } ?? []
    return entries.filter(\.source.isSet).map { $0.property.key }
  }

  // MARK: Values

  /// The result of a look-up of a property.
  enum Finding {
    /// The property is set in the parent that is `levels` levels further out.
    case value(AnyBox, levels: Int32)
    /// The property has its default value, in the outermost injector.
    case byDefault(Cell)
    case closed
  }

  /// - Parameters:
  ///   - isShown: Whether Swift's Observation records the read.
  ///   - levels: How many levels this injector is further out than the one that is read.
  func find(_ property: any Property.Type, isShown: Bool = false, levels: Int32 = 0) -> Finding {
    find(property, from: isShown ? trackedSource(of: property) : source(of: property), levels: levels)
  }

  /// - Parameter source: The source of the value here, which another thread may have replaced since it was read.
  func find(_ property: any Property.Type, from source: Source?, levels: Int32 = 0) -> Finding {
    switch source {
    case .set(let box): .value(box, levels: levels)
    case .byDefault(let cell): .byDefault(cell)
    case .inherited: outer?.find(property, levels: levels + 1) ?? .closed
    case nil: .closed
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

  /// The source of a property's value here; `nil` if the injector is closed.
  private func source(of property: any Property.Type) -> Source? {
    let (known, isClosed) = state.withLock { [id = property.id] state in (state.entries[id]?.source, state.isClosed) }
    if isClosed { return nil }
    return known ?? (outer == nil ? prepare(property) : .inherited)
  }

  /// Makes the entry of a property.
  ///
  /// - Returns: `nil` if the injector is closed.
  @discardableResult
  func prepare(_ property: any Property.Type) -> Source? {
    let id = property.id
    let (known, isClosed) = state.withLock { ($0.entries[id]?.source, $0.isClosed) }
    if isClosed { return nil }
    if let known { return known }
    let made = outer == nil ? Source.byDefault(property.makeDefault()) : .inherited
    return state.withLock { state in
      if state.isClosed { return nil }
      if let first = state.entries[id]?.source { return first }
      state.entries.add(Entry(property: property, source: made))
      return made
    }
  }

  enum Change {
    case made
    /// Another change came first.
    case late
    case closed
  }

  /// Replaces the source of a property's value, and notifies its followers.
  ///
  /// - Parameter old: The source that the property must still have; any source if it is `nil`.
  func replace(_ property: any Property.Type, by new: Source, unlessChangedSince old: Source? = nil) -> Change {
    let id = property.id
    var replaced: Source?  // Released outside of the lock.
    defer { withExtendedLifetime(replaced) {} }
    if outer?.isClosed == true { return .closed }
    if case .inherited = new { link() }
    let known = state.withLock { state -> Change? in
      let place = state.entries.place(of: id)
      if !state.inner.isEmpty || place.map({ state.entries.list[$0].isFollowed }) == true { return nil }
      return state.replace(property, at: place, by: new, unlessChangedSince: old, &replaced)
    }
    if let known { return known }
    let before = audience(of: id)
    for one in before { one.willChange() }
    let change = state.withLock { state in
      state.replace(property, at: state.entries.place(of: id), by: new, unlessChangedSince: old, &replaced)
    }
    for one in before { one.didChange() }
    if case .made = change { tell(of: property) }
    return change
  }
}

extension Properties.State {
  fileprivate mutating func replace(
    _ property: any Property.Type, at place: Int?, by new: Properties.Source,
    unlessChangedSince old: Properties.Source?, _ replaced: inout Properties.Source?
  ) -> Properties.Change {
    if isClosed { return .closed }
    guard let place else {
      if old != nil { return .late }
      entries.add(Properties.Entry(property: property, source: new))
      return .made
    }
    if let old, !old.isSame(as: entries.list[place].source) { return .late }
    replaced = entries.list[place].source
    entries.list[place].source = new
    return .made
  }
}

/// Entries by the identities of their properties: a list, which is faster than a table if it is short.
struct Entries {
  var list: [Properties.Entry] = []
  /// The places in a long list.
  private var index: [ObjectIdentifier: Int]?

  subscript(id: ObjectIdentifier) -> Properties.Entry? { place(of: id).map { list[$0] } }

  /// Changes the entry of a property in its place, if there is one.
  @discardableResult
  mutating func change<Result>(_ id: ObjectIdentifier, _ body: (inout Properties.Entry) -> Result) -> Result? {
    guard let place = place(of: id) else { return nil }
    return body(&list[place])
  }

  mutating func add(_ entry: consuming Properties.Entry) {
    index?[entry.id] = list.count
    if list.isEmpty { list = [entry] } else { list.append(entry) }
    guard index == nil, list.count > 12 else { return }
    index = Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1.id, $0) })
  }

  mutating func removeObservers() { for place in list.indices { list[place].observers = [] } }

  func place(of id: ObjectIdentifier) -> Int? {
    if let index { return index[id] }
    for place in list.indices where list[place].id == id { return place }
    return nil
  }
}

/// A property that is never set. Its observers learn when an injector ends.
enum Ending: Property {
  static var defaultValue: Bool { false }
}
