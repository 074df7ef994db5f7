/// A type that is made from other services where it is not registered itself.
private protocol Derived {
  /// What it is made from.
  static var element: any Any.Type { get }

  /// What it is where nothing is registered; `nil` if that is an error.
  static var absent: AnyBox? { get }

  /// - Parameters:
  ///   - injector: The injector that answers.
  ///   - key: The key of the element.
  /// - Returns: `nil` where nothing is registered.
  static func derive(from injector: Injector, _ key: Key) throws(InjectorError) -> AnyBox?

  static func derive(from injector: Injector, _ key: Key, in context: some Sendable) throws(InjectorError) -> AnyBox?
}

extension Array: Derived {
  fileprivate static var element: any Any.Type { Element.self }
  fileprivate static var absent: AnyBox? { isExistential(Element.self) ? Box<Self>([]) : nil }

  fileprivate static func derive(from injector: Injector, _ key: Key) throws(InjectorError) -> AnyBox? {
    try injector.boxes(for: key).map { boxes in Box<Self>(boxes.map { $0.box.open() }) }
  }

  fileprivate static func derive(
    from injector: Injector, _ key: Key, in context: some Sendable
  ) throws(InjectorError) -> AnyBox? {
    try injector.boxes(for: key, in: context).map { boxes in Box<Self>(boxes.map { $0.box.open() }) }
  }
}

extension Dictionary: Derived where Key == String {
  fileprivate static var element: any Any.Type { Value.self }
  fileprivate static var absent: AnyBox? { isExistential(Value.self) ? Box<Self>([:]) : nil }

  fileprivate static func derive(from injector: Injector, _ key: Plug.Key) throws(InjectorError) -> AnyBox? {
    try injector.boxes(for: key).map { boxes in
      Box<Self>(boxes.reduce(into: [:]) { $0[$1.id] = $1.box.open(as: Value.self) })
    }
  }

  fileprivate static func derive(
    from injector: Injector, _ key: Plug.Key, in context: some Sendable
  ) throws(InjectorError) -> AnyBox? {
    try injector.boxes(for: key, in: context).map { boxes in
      Box<Self>(boxes.reduce(into: [:]) { $0[$1.id] = $1.box.open(as: Value.self) })
    }
  }
}

extension Optional: Derived {
  fileprivate static var element: any Any.Type { Wrapped.self }
  fileprivate static var absent: AnyBox? { Box<Self>(nil) }

  fileprivate static func derive(from injector: Injector, _ key: Key) throws(InjectorError) -> AnyBox? {
    try injector.boxIfRegistered(for: key).map { Box<Self>($0.open(as: Wrapped.self)) }
  }

  fileprivate static func derive(
    from injector: Injector, _ key: Key, in context: some Sendable
  ) throws(InjectorError) -> AnyBox? {
    guard let cell = try injector.find(key) else { return nil }
    return Box<Self>(try injector.firstBox(of: cell, in: context)?.open(as: Wrapped.self))
  }
}

extension Injector {
  /// Makes what is not registered from what is.
  @inline(never)
  func derive(_ key: Key) throws(InjectorError) -> AnyBox {
    if let derived = try deriveIfRegistered(key) { return derived }
    if let absent = (key.type as? any Derived.Type)?.absent { return absent }
    throw absence(of: key)
  }

  private func deriveIfRegistered(_ key: Key) throws(InjectorError) -> AnyBox? {
    if key.type == Injector.self, key.tag == nil { return Box<Injector>(self) }
    guard let type = key.type as? any Derived.Type else { return nil }
    return try type.derive(from: self, Key(type.element, key.tag))
  }

  /// Gets what is registered for a key, or can be made from what is registered.
  @usableFromInline
  func boxIfRegistered(for key: Key) throws(InjectorError) -> AnyBox? {
    guard let cell = try find(key) else { return try deriveIfRegistered(key) }
    return try provide(cell)
  }

  /// Gets all that apply of what is registered for a key, with their ids; `nil` where nothing is registered. What a
  /// scope contributes is added to what it inherits.
  @usableFromInline
  func boxes(for key: Key) throws(InjectorError) -> [(id: String, box: AnyBox)]? {
    guard let cell = try find(key) else { return nil }
    guard let selector = cell.selector else { return [(Fallback.id, try provide(cell))] }
    let context = try selector.context(in: self, cell.registration)
    let own = try boxes(of: cell, selector, in: context)
    guard selector.isContextFree, selector.fallback == nil, cell.registration.depth > 0,
      let parent = level(at: cell.registration.depth).parent, let inherited = try parent.boxes(for: key)
    else { return own }
    return inherited + own
  }

  /// Makes what is not registered from what is, in a context.
  func derive<Context: Sendable>(_ key: Key, in context: Context) throws(InjectorError) -> AnyBox {
    guard let type = key.type as? any Derived.Type else { throw absence(of: key) }
    if let derived = try type.derive(from: self, Key(type.element, key.tag), in: context) { return derived }
    if let absent = type.absent { return absent }
    throw absence(of: key)
  }
}
