/// A type that represents something other than a service, and names it.
package protocol TypedKey {
  /// The name in diagnostics.
  static func name(tag: String?) -> String

  /// The expression that requests it, beginning with `injector`.
  static func expression(tag: String?) -> String

  /// The kind of the key, as far as errors differ.
  static var kind: SubjectKind { get }
}

extension Key {
  /// The type as a `TypedKey`; `nil` for a service.
  var typed: (any TypedKey.Type)? { type as? any TypedKey.Type }
}

/// The kind of an error's subject.
package enum SubjectKind: Sendable {
  /// A service that is requested by its type.
  case service
  /// A feature that was requested as a service.
  case featureAsService
  /// A key.
  case key
  /// The key of a property, which is made from its default value.
  case property
  /// A service made from arguments.
  case arguments
  /// A value made without an injector.
  case standalone
  /// A candidate of a point, whatever its service.
  case candidate
  /// A module that registers services.
  case module
}
