/// Where a type that is made from another service gets that service from.
struct ElementSource {
  let injector: Injector
  /// The context that is given.
  var context: ContextReference?
  /// Makes an instance from arguments; `nil` where nothing is registered.
  var make: ((Key) throws(InjectorError) -> AnyBox?)?

  /// The winner; `nil` where nothing is registered, and an empty box where no candidate applies.
  func first(_ key: Key) throws(InjectorError) -> AnyBox?? {
    if let make { return try make(key).map { .some($0) } }
    guard let cell = try injector.find(key) else { return nil }
    return .some(try injector.firstBox(of: cell, in: context))
  }

  /// All that apply, with their ids; `nil` where nothing is registered.
  func all(_ key: Key) throws(InjectorError) -> [(id: String, box: AnyBox)]? {
    if let make { return try make(key).map { [(Fallback.id, $0)] } }
    return try injector.all(key, in: context)
  }
}

/// A type that is made from other services where it is not registered itself.
private protocol Derived {
  static var element: any Any.Type { get }

  /// What it is where nothing is registered; `nil` if that is an error.
  static var absent: AnyBox? { get }

  /// - Parameter key: The key of the element.
  /// - Returns: `nil` where nothing is registered.
  static func derive(from source: ElementSource, _ key: Key) throws(InjectorError) -> AnyBox?
}

extension Array: Derived {
  fileprivate static var element: any Any.Type { Element.self }
  fileprivate static var absent: AnyBox? { isExistential(Element.self) ? Box<Self>([]) : nil }

  fileprivate static func derive(from source: ElementSource, _ key: Key) throws(InjectorError) -> AnyBox? {
    try source.all(key).map { boxes in Box<Self>(boxes.map { $0.box.open() }) }
  }
}

extension Dictionary: Derived where Key == String {
  fileprivate static var element: any Any.Type { Value.self }
  fileprivate static var absent: AnyBox? { isExistential(Value.self) ? Box<Self>([:]) : nil }

  fileprivate static func derive(from source: ElementSource, _ key: Plug.Key) throws(InjectorError) -> AnyBox? {
    try source.all(key).map { boxes in
      Box<Self>(boxes.reduce(into: [:]) { $0[$1.id] = $1.box.open(as: Value.self) })
    }
  }
}

extension Optional: Derived {
  fileprivate static var element: any Any.Type { Wrapped.self }
  fileprivate static var absent: AnyBox? { Box<Self>(nil) }

  fileprivate static func derive(from source: ElementSource, _ key: Key) throws(InjectorError) -> AnyBox? {
    if let first = try source.first(key) { return Box<Self>(first?.open(as: Wrapped.self)) }
    guard let derived = Wrapped.self as? any Derived.Type else { return nil }
    return try derived.derive(from: source, Key(derived.element, key.tag)).map { Box<Self>($0.open(as: Wrapped.self)) }
  }
}

extension Key {
  /// The key of what it is made from, and whether it can be made from nothing; `nil` if it is not derived.
  var derivation: (element: Key, isOptional: Bool)? {
    (type as? any Derived.Type).map { (Key($0.element, tag), $0.absent != nil) }
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

  /// Makes what is not registered from what is, in a context.
  func derive(_ key: Key, in context: ContextReference) throws(InjectorError) -> AnyBox {
    if let derived = try derive(key, from: ElementSource(injector: self, context: context)) { return derived }
    throw absence(of: key)
  }

  /// Makes what is not registered from what a source gives.
  func derive(_ key: Key, from source: ElementSource) throws(InjectorError) -> AnyBox? {
    guard let type = key.type as? any Derived.Type else { return nil }
    return try type.derive(from: source, Key(type.element, key.tag)) ?? type.absent
  }

  private func deriveIfRegistered(_ key: Key) throws(InjectorError) -> AnyBox? {
    if key.type == Injector.self, key.tag == nil { return Box<Injector>(self) }
    guard let type = key.type as? any Derived.Type else { return nil }
    return try type.derive(from: ElementSource(injector: self), Key(type.element, key.tag))
  }

  /// Gets what is registered for a key, or can be made from what is registered.
  @usableFromInline
  func boxIfRegistered(for key: Key) throws(InjectorError) -> AnyBox? {
    try Layers.answering(Request(key, isOptional: true), by: self) { () throws(InjectorError) in
      try foundIfRegistered(key)
    }
  }

  func foundIfRegistered(_ key: Key) throws(InjectorError) -> AnyBox? {
    guard let cell = try find(key) else { return try deriveIfRegistered(key) }
    return try firstBox(of: cell)
  }

  /// Gets all that apply in a context, with their ids; if none is given, in the one that this injector has. What a
  /// scope contributes is added to what it inherits.
  func all(_ key: Key, in context: ContextReference?) throws(InjectorError) -> [(id: String, box: AnyBox)]? {
    guard let cell = try find(key) else { return nil }
    let own = try boxes(of: cell, in: context)
    guard context == nil, let selector = cell.selector, selector.order.isContextFree, selector.fallback == nil,
      cell.registration.depth > 0, let parent = level(at: cell.registration.depth).parent,
      let inherited = try parent.all(key, in: nil)
    else { return own }
    return inherited + own
  }
}
