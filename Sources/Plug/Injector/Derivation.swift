/// How a type is made from another service if it is not registered itself.
struct Derivation {
  /// The key of the other service.
  var element: Key
  /// Whether the type is made from all implementations that apply, rather than from the winner.
  let hasAll: Bool
  let make: (_ boxes: [(id: String, box: AnyBox)]) -> AnyBox

  /// Whether the type can be made if the other service is not registered.
  var isOptional: Bool { !hasAll || isExistential(element.served.type) }
}

protocol Derived {
  static func derivation(_ tag: Injector.Tag?) -> Derivation?
}

extension Array: Derived {
  static func derivation(_ tag: Injector.Tag?) -> Derivation? {
    Derivation(element: Key(Element.self, tag), hasAll: true) { Box<Self>($0.map { $0.box.open() }) }
  }
}

extension Dictionary: Derived where Key == String {
  static func derivation(_ tag: Injector.Tag?) -> Derivation? {
    Derivation(element: Plug.Key(Value.self, tag), hasAll: true) { boxes in
      Box<Self>(boxes.reduce(into: [:]) { $0[$1.id] = $1.box.open(as: Value.self) })
    }
  }
}

extension Optional: Derived {
  static func derivation(_ tag: Injector.Tag?) -> Derivation? {
    Derivation(element: Key(Wrapped.self, tag), hasAll: false) { Box<Self>($0.first?.box.open(as: Wrapped.self)) }
  }
}

extension Key {
  /// How the type is made from another service; `nil` if it is not.
  var derivation: Derivation? { (type as? any Derived.Type)?.derivation(tag) }

  /// The keys of the services that the type is made from if it is not registered itself, in the order of look-up.
  package var elements: [Key] { derivation.map { [$0.element] + ($0.hasAll ? [] : $0.element.elements) } ?? [] }
}
