extension WeakInstance {
  /// Returns a function that makes a weak reference to the instance in a box, and returns `nil` for an empty optional.
  static func weakening<Value>(_ type: Value.Type) -> @Sendable (AnyBox) throws(NotAnObject) -> WeakInstance? {
    let rebox: @Sendable (AnyObject) -> AnyBox? = { object in (object as? Value).map(Box.init) }
    return { box throws(NotAnObject) in
      let value: Any = box.open(as: Value.self)
      guard let content = (value as? any OptionalValue).map(\.wrapped) ?? value else { return nil }
      let type = Swift.type(of: content)
      guard type is AnyClass, rebox(content as AnyObject) != nil else { throw NotAnObject(type: "\(type)") }
      return WeakInstance(content as AnyObject, rebox)
    }
  }

  /// Whether no value of the type can be held weakly.
  static func isFutile(for type: any Any.Type) -> Bool {
    if type is AnyClass || isExistential(type) { return false }
    guard let wrapped = (type as? any OptionalValue.Type)?.wrappedType else { return true }
    return !(wrapped is AnyClass) && !isExistential(wrapped)
  }
}
