import Synchronization

/// An object that a layer keeps, under a type of its own.
struct Attachment: Sendable {
  let key: ObjectIdentifier
  let object: any AnyObject & Sendable
}

/// The objects that layers keep for a registration, or for the candidates of a service, each under a type of its own.
/// Nothing is allocated until an object is added.
struct Attachments: ~Copyable, Sendable {
  private final class List: Sendable {
    let objects = Guarded<[Attachment]>([])
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
      objects.append(Attachment(key: key, object: new))
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

extension Injector.State {
  mutating func setAttachment<Object: AnyObject & Sendable>(_ new: Object?) {
    let key = ObjectIdentifier(Object.self)
    rare?.attachments.removeAll { $0.key == key }
    if let new { rare.orMade.attachments.append(Attachment(key: key, object: new)) }
  }
}

extension Injector {
  /// The object that a layer keeps in the injector under a type of its own, until the injector is released.
  @inlinable
  package func attachment<Object: AnyObject & Sendable>(_ type: Object.Type) -> Object? {
    attachment(ObjectIdentifier(type)) as? Object
  }

  @usableFromInline
  func attachment(_ key: ObjectIdentifier) -> (any AnyObject & Sendable)? {
    let (known, original) = state.withLock { ($0.attachment(key), $0.origin?.injector) }
    guard known == nil, let original, let object = original.attachment(key) else { return known }
    copyAttachment(Attachment(key: key, object: object), of: original)
    return state.withLock { $0.attachment(key) }
  }

  /// Replaces an attachment. `change` runs again if another thread has replaced it meanwhile.
  @discardableResult
  package func updateAttachment<Object: AnyObject & Sendable>(
    _ type: Object.Type, _ change: (Object?) -> Object?
  ) -> Object? {
    let key = ObjectIdentifier(type)
    while true {
      let old = attachment(type)
      let new = change(old)
      if new === old { return new }
      let isReplaced = state.withLock { state in
        guard state.attachment(key) as AnyObject? === old as AnyObject? else { return false }
        state.setAttachment(new)
        state.changes += 1
        return true
      }
      if isReplaced { return new }  // `old` is released here, outside of the lock.
    }
  }

  /// Adds the copy of an original's attachment, which is also a hook here if it is one there.
  func copyAttachment(_ attachment: Attachment, of original: Injector) {
    guard let copy = (attachment.object as? any CopiedAttachment)?.copy(for: self) else { return }
    let isNew = state.withLock { state in
      if state.attachment(attachment.key) != nil { return false }
      state.rare.orMade.attachments.append(Attachment(key: attachment.key, object: copy))
      return true
    }
    let hooks = original.attachment(Layers.Installed.self)?.hooks ?? []
    if isNew, let hook = copy as? any Hooks, hooks.contains(where: { $0 === attachment.object }) {
      Layers.install(hook, in: self)
    }
  }

  /// Ends the observations of this copy, because its test has ended.
  package func endObserving() {
    for attachment in state.withLock({ $0.attachments }) {
      (attachment.object as? any EndingAttachment)?.endObserving()
    }
  }

  /// The sections that attachments add to a report of this injector.
  package var reportSections: [(title: String, lines: [String])] {
    state.withLock { $0.attachments }.compactMap { ($0.object as? any ReportedAttachment)?.reportSection }
  }
}
