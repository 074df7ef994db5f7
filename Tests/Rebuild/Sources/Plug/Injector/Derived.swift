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
}

extension Array: Derived {
  fileprivate static var element: any Any.Type { Element.self }
  fileprivate static var absent: AnyBox? { isExistential(Element.self) ? Box<Self>([]) : nil }

  fileprivate static func derive(from injector: Injector, _ key: Key) throws(InjectorError) -> AnyBox? {
    try injector.boxes(for: key).map { boxes in Box<Self>(boxes.map { $0.box.open() }) }
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
}

extension Optional: Derived {
  fileprivate static var element: any Any.Type { Wrapped.self }
  fileprivate static var absent: AnyBox? { Box<Self>(nil) }

  fileprivate static func derive(from injector: Injector, _ key: Key) throws(InjectorError) -> AnyBox? {
    try injector.boxIfRegistered(for: key).map { Box<Self>($0.open(as: Wrapped.self)) }
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

  /// Gets all that apply of what is registered for a key, with their ids; `nil` where nothing is registered.
  @usableFromInline
  func boxes(for key: Key) throws(InjectorError) -> [(id: String, box: AnyBox)]? {
    guard let cell = try find(key) else { return nil }
    return [("default", try provide(cell))]
  }
}
