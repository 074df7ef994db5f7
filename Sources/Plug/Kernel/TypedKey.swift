/// A type that stands for something other than a service, and names it.
@usableFromInline
package protocol TypedKey {
  /// The name in diagnostics.
  static func name(tag: String?) -> String

  /// The expression that asks for it, beginning with `injector`.
  static func expression(tag: String?) -> String

  /// What it stands for, as far as errors differ.
  static var kind: InjectorError.Facts.Kind { get }

  /// What is made from arguments, and their types; `nil` if it stands for something else.
  static var arguments: (service: any Any.Type, list: [String])? { get }
}

extension TypedKey {
  @usableFromInline package static var kind: InjectorError.Facts.Kind { .key }
  @usableFromInline package static var arguments: (service: any Any.Type, list: [String])? { nil }
}

extension Key {
  /// The type, if it stands for something other than a service.
  package var typed: (any TypedKey.Type)? { type as? any TypedKey.Type }
}
