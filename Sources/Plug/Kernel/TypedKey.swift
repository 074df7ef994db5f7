/// A type that stands for something other than a service, and names it.
@usableFromInline
package protocol TypedKey {
  /// The name in diagnostics.
  static func name(tag: String?) -> String

  /// The expression that asks for it, beginning with `injector`.
  static func expression(tag: String?) -> String

  /// What an error has to know.
  static var form: InjectorError.Facts.KeyForm { get }
}

extension TypedKey {
  @usableFromInline package static var form: InjectorError.Facts.KeyForm { .key }
}
