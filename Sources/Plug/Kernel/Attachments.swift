import Synchronization

/// An object that a layer keeps in an injector, at most one of a type. Each requirement has an empty default.
package protocol Attachment: AnyObject, Sendable {
  /// Returns the object for a copy of the injector; `nil` if the copy begins without one.
  func copy(for injector: Injector) -> Self?

  /// The title of a section in the injector's report, and the lines below it. Without lines, the section is omitted.
  var reportSection: (title: String, lines: [String]) { get }

  /// Ends what the object does for other code, such as observations, when the injector is closed or the test that owns
  /// it ends. No lock is held.
  ///
  /// - Parameter keepsValues: Whether values stay for code that outlives the test that owns the injector. Otherwise the
  ///   injector is being closed.
  func end(keepsValues: Bool)
}

extension Attachment {
  package func copy(for injector: Injector) -> Self? { nil }
  package var reportSection: (title: String, lines: [String]) { ("", []) }
  package func end(keepsValues: Bool) {}
}

/// The objects that layers keep for a registration, or for the candidates of a service, at most one of a type.
/// Nothing is allocated until an object is added.
struct Attachments: ~Copyable, Sendable {
  private typealias Kept = any AnyObject & Sendable

  private final class List: Sendable {
    let objects = Guarded<[Kept]>([])
  }

  private let list = AtomicLazyReference<List>()

  /// The object of a type; `nil` if there is none.
  func object<Object: AnyObject & Sendable>(_ type: Object.Type) -> Object? {
    list.load()?.objects.withLock { Self.find(ObjectIdentifier(type), in: $0) } as? Object
  }

  /// The object of a type, which is made if there is none.
  func object<Object: AnyObject & Sendable>(_ type: Object.Type, _ make: () -> Object) -> Object {
    if let known = object(type) { return known }
    let new = make()
    let first = list.storeIfNil(List()).objects.withLock { objects in
      let first = Self.find(ObjectIdentifier(type), in: objects)
      if first == nil { objects.append(new) }
      return first
    }
    return first as? Object ?? new
  }

  private static func find(_ key: ObjectIdentifier, in objects: [Kept]) -> Kept? {
    objects.first { ObjectIdentifier(type(of: $0)) == key }
  }
}

extension Registration {
  package func attachment<Object: AnyObject & Sendable>(_ type: Object.Type) -> Object? { attachments.object(type) }

  package func attachment<Object: AnyObject & Sendable>(_ type: Object.Type, _ make: () -> Object) -> Object {
    attachments.object(type, make)
  }
}

extension Injector.State {
  @inline(__always) func attachment(_ key: ObjectIdentifier) -> (any Attachment)? {
    attachments.first { ObjectIdentifier(type(of: $0)) == key }
  }

  @inline(never)
  mutating func setAttachment(_ new: (any Attachment)?, for key: ObjectIdentifier) {
    let old = attachments.firstIndex { ObjectIdentifier(type(of: $0)) == key }
    if let old { attachments.remove(at: old) }
    if let new { attachments = attachments.isEmpty ? [new] : attachments + [new] }
    changes += 1
  }
}

extension Injector {
  /// The object that a layer keeps in the injector under a type of its own, until the injector is released.
  package func attachment<Object: Attachment>(_ type: Object.Type) -> Object? {
    attachment(ObjectIdentifier(type)) as? Object
  }

  private func attachment(_ key: ObjectIdentifier) -> (any Attachment)? {
    let (known, original) = state.withLock { ($0.attachment(key), $0.origin?.injector) }
    guard known == nil, let original, let object = original.attachment(key) else { return known }
    copyAttachment(object, of: original)
    return state.withLock { $0.attachment(key) }
  }

  /// Replaces an attachment. `change` runs again if another thread has replaced it meanwhile.
  @discardableResult
  package func updateAttachment<Object: Attachment>(_ type: Object.Type, _ change: (Object?) -> Object?) -> Object? {
    while true {
      let old = attachment(type)
      let new = change(old)
      // `old` is released here, outside of the lock.
      if new === old || replaceAttachment(old, by: new, for: ObjectIdentifier(type)) { return new }
    }
  }

  private func replaceAttachment(
    _ old: (any Attachment)?, by new: (any Attachment)?, for key: ObjectIdentifier
  ) -> Bool {
    state.withLock { state in
      if state.attachment(key) !== old { return false }
      state.setAttachment(new, for: key)
      return true
    }
  }

  /// Adds the copy of an original's attachment, which is also a hook here if it is one there.
  func copyAttachment(_ attachment: any Attachment, of original: Injector) {
    guard let copy = attachment.copy(for: self) else { return }
    let isNew = state.withLock { state in
      if state.attachment(ObjectIdentifier(type(of: copy))) != nil { return false }
      state.attachments.append(copy)
      return true
    }
    let hooks = original.attachment(Layers.Installed.self)?.hooks ?? []
    if isNew, let hook = copy as? any Hooks, hooks.contains(where: { $0 === attachment }) {
      Layers.install(hook, in: self)
    }
  }

  /// The objects that layers keep in this injector.
  package var attachments: [any Attachment] { state.withLock { $0.attachments } }
}
