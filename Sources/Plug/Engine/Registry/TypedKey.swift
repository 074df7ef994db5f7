public import Synchronization

/// A type that stands in a registry for a key which is not the type of a service.
///
/// Soundness of the casts in `find` and `entry`: such a type is internal, so that no service is registered under it,
/// and what this library stores under one is always its `Stored`. A type has one metadata record, which the key's
/// `ObjectIdentifier` is the address of.
@usableFromInline
protocol TypedKey: Sendable {
  associatedtype Stored: AnyEntry

  /// The name in diagnostics.
  static func name(tag: String?) -> String

  /// The expression that asks for it, as its user writes it.
  static func expression(tag: String?) -> String
}

/// Stands for the value of a property, whatever its type.
@usableFromInline
protocol AnyPropertyKey: TypedKey {}

/// Stands for the instance of a feature.
@usableFromInline
enum FeatureKey<Key: Feature>: TypedKey {
  @usableFromInline typealias Stored = Entry<Key.Instance>

  @usableFromInline
  static func name(tag: String?) -> String { typeName(Key.self) }

  @usableFromInline
  static func expression(tag: String?) -> String { "injector[\(typeName(Key.self)).self]" }
}

/// Stands for the instance of a provider, together with a tag that tells where it is declared, and its name.
@usableFromInline
enum ProviderKey<Service: Sendable>: TypedKey {
  @usableFromInline typealias Stored = Entry<Service>

  @usableFromInline
  static func name(tag: String?) -> String { "\\.\(ProviderName.property(tag))" }

  @usableFromInline
  static func expression(tag: String?) -> String { "injector.\(ProviderName.property(tag))()" }
}

/// Stands for what a registry class shares.
@usableFromInline
enum RegistryKey<Shared: Registry>: TypedKey {
  @usableFromInline typealias Stored = Entry<Shared>

  @usableFromInline
  static func name(tag: String?) -> String { typeName(Shared.self) }

  @usableFromInline
  static func expression(tag: String?) -> String { "\(typeName(Shared.self)).shared" }
}

/// Stands for a service that is made from arguments, together with the types of these.
@usableFromInline
protocol AnyArgumentsKey: TypedKey {
  static var service: any Any.Type { get }
  static var arguments: [String] { get }

  /// The key of another service that is made from the same arguments.
  static func replacingService<Other: Sendable>(by other: Other.Type) -> any Any.Type
}

extension Registrations {
  /// Finds what is stored under a key, for use while the caller looks, or forever if the registrations are sealed.
  @inlinable
  @inline(__always)
  func find<Key: TypedKey>(_ key: Key.Type) -> Unmanaged<Key.Stored>? {
    let table = unsafe table.load(ordering: .sequentiallyConsistent)
    guard let entry = unsafe table._withUnsafeGuaranteedRef({ unsafe $0.find(ObjectIdentifier(key)) }) else {
      return nil
    }
    return unsafe Unmanaged.fromOpaque(entry.toOpaque())
  }

  /// Finds what is stored under a key.
  @inlinable
  func entry<Key: TypedKey>(_ key: Key.Type, _ tag: Injector.Tag? = nil) -> Key.Stored? {
    guard let entry = entry(ObjectIdentifier(key), tag) else { return nil }
    return unsafe unsafeDowncast(entry, to: Key.Stored.self)
  }

  /// Stores an entry under its key, unless there is one already.
  ///
  /// - Returns: The one that is there now; `nil` if the injector has been closed.
  func ensure<Key: TypedKey>(_ key: Key.Type, _ entry: Key.Stored) -> Key.Stored? {
    ensure(entry).map { unsafe unsafeDowncast($0, to: Key.Stored.self) }
  }
}
