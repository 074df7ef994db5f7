/// What is known of a factory's dependencies before it runs.
@usableFromInline
enum Knowledge: Sendable {
  /// There are none.
  case none
  /// Nothing: it is a closure.
  case opaque
  /// The types of an initializer's parameters.
  case wired([ServiceKey])
  /// What the one who wrote the closure says.
  case declared([ServiceKey])
  /// There is no factory: each scope registers the service itself.
  case absent

  var isOpaque: Bool { if case .opaque = self { true } else { false } }
  var isWired: Bool { if case .wired = self { true } else { false } }
  var isDeclared: Bool { if case .declared = self { true } else { false } }
}

/// How candidates are chosen, as far as it is known without a context.
struct Choice {
  /// What chooses.
  let context: ServiceKey

  /// Whether the context has to be registered: an injector has itself.
  var needsRegistration: Bool { context.type != ObjectIdentifier(Injector.self) }

  /// Of each candidate, in order, whether it always applies or never; `nil` if that depends on the context.
  let constants: [Bool?]

  /// Of each candidate with a weight the number that it shares with those among which one is drawn.
  let rivals: [Int?]
}
