extension Injector {
  /// A tag that distinguishes several services of the same type.
  ///
  /// Registrations with different tags are independent of each other, and of the registration without a tag:
  ///
  /// ```swift
  /// nonisolated extension Injector.Tag { static let replica: Self = "replica" }
  ///
  /// try services.register(tag: .replica, .singleton(replica))
  /// let database = try services.get(Database.self, tag: .replica)
  /// ```
  public struct Tag: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// The string and its hash. A tag has the size of a pointer, and looking a service up does not hash the string.
    private final class Text: Hashable, Sendable {
      let value: String
      let hash: Int

      init(_ value: String) { (self.value, hash) = (value, value.hashValue) }

      static func == (first: Text, second: Text) -> Bool {
        first === second || first.hash == second.hash && first.value == second.value
      }

      func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    private let text: Text

    /// The tag as a string, which diagnostics show as `Database (tag "replica")`.
    public var rawValue: String { text.value }

    /// Creates a tag from a string.
    ///
    /// Keep tags in a `static let`. Creating one allocates memory and hashes the string; using an existing one does
    /// neither.
    ///
    /// - Parameter rawValue: The string. Tags with equal strings are equal.
    public init(rawValue: String) { text = Text(rawValue) }

    var word: UInt { UInt(bitPattern: text.hash) }

    /// Creates a tag from a string literal, which may have interpolations.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The tag as a string.
    public var description: String { rawValue }
  }
}
