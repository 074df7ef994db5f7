import Synchronization

/// What layers keep for a registration, or for the candidates of a service, by types of theirs. It takes no room until
/// something is kept.
struct Attachments: ~Copyable, Sendable {
  private final class List: Sendable {
    let objects = Guarded<[(key: ObjectIdentifier, object: any AnyObject & Sendable)]>([])
  }

  private let list = AtomicLazyReference<List>()

  /// The object of a type; `nil` if there is none.
  func object<Object: AnyObject & Sendable>(_ type: Object.Type) -> Object? {
    let key = ObjectIdentifier(type)
    return list.load()?.objects.withLock { objects in objects.first { $0.key == key }?.object } as? Object
  }

  /// The object of a type, which is made if there is none.
  func object<Object: AnyObject & Sendable>(_ type: Object.Type, _ make: () -> Object) -> Object {
    if let known = object(type) { return known }
    let (key, new) = (ObjectIdentifier(type), make())
    let kept = list.storeIfNil(List()).objects.withLock { objects in
      if let first = objects.first(where: { $0.key == key })?.object { return first }
      objects.append((key, new))
      return new
    }
    return kept as? Object ?? new
  }
}

extension Registration {
  package func attachment<Object: AnyObject & Sendable>(_ type: Object.Type) -> Object? { attachments.object(type) }

  package func attachment<Object: AnyObject & Sendable>(_ type: Object.Type, _ make: () -> Object) -> Object {
    attachments.object(type, make)
  }
}
