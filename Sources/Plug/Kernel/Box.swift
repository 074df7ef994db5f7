public import Synchronization

/// An instance whose type only specialised code knows.
///
/// Soundness of the unchecked conformance: the class has no content; `Box` is its only subclass.
@usableFromInline
package class AnyBox: @unchecked Sendable {
  @inlinable init() {}
}

/// An instance with its type. Factories make it in specialised code, which need not look up its metadata.
///
/// Soundness of the unchecked conformance: only services are put in boxes, and registration requires that they are
/// `Sendable`.
@usableFromInline
package final class Box<Service>: AnyBox, @unchecked Sendable {
  @usableFromInline let value: Service

  @inlinable
  package init(_ value: Service) {
    self.value = value
    super.init()
  }
}

/// A value in an object, so that it is copied as one reference.
final class Boxed<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// Parts of a value that few values have, in an object that is made when it is first needed.
protocol OnDemand: AnyObject {
  init()
}

extension Optional where Wrapped: OnDemand {
  var orMade: Wrapped {
    mutating get {
      if let self { return self }
      let new = Wrapped()
      self = new
      return new
    }
  }
}

extension AnyBox {
  /// The instance.
  ///
  /// Soundness: a box comes from a cell, which is found under a key that has the service's type, or from a recipe of
  /// that type. Both make boxes of their own service alone.
  @inlinable
  @inline(__always)
  package func open<Service>(as service: Service.Type = Service.self) -> Service {
    // Not `unsafeDowncast`, which looks up the metadata of the box where nothing is specialised.
    unsafe Unmanaged<Box<Service>>.fromOpaque(Unmanaged.passUnretained(self).toOpaque())
      ._withUnsafeGuaranteedRef { $0.value }
  }
}

extension AnyRecipe {
  /// This recipe with its type.
  ///
  /// Soundness: as in `AnyBox.open`. A recipe's closure is called with that recipe only.
  @inlinable
  @inline(__always)
  func typed<Service: Sendable>(as service: Service.Type) -> Recipe<Service> {
    unsafe unsafeDowncast(self, to: Recipe<Service>.self)
  }
}

/// A place for one box, which is set once, and which any thread reads without a lock.
///
/// Soundness of the unchecked conformance: the reference is set once, with release ordering, to a box that this place
/// owns, and is read with acquire ordering. `deinit` releases the box. No reader is left then, since each holds the
/// owner.
@safe
@usableFromInline
struct Published: ~Copyable, @unchecked Sendable {
  @usableFromInline let reference = unsafe Atomic<Unmanaged<AnyBox>?>(nil)

  init() {}

  deinit { unsafe reference.load(ordering: .acquiring)?.release() }

  /// The instance, if there is one yet, without counting a reference to its box.
  @inlinable
  @inline(__always)
  var instance: SealedTable.Reference? {
    unsafe reference.load(ordering: .acquiring).map(SealedTable.Reference.init)
  }

  /// The box, if there is one yet.
  @inline(__always) var box: AnyBox? { unsafe reference.load(ordering: .acquiring)?.takeUnretainedValue() }

  func publish(_ box: AnyBox) { unsafe reference.store(.passRetained(box), ordering: .releasing) }
}

/// The value that rules evaluate, for code that does not know its type.
///
/// Soundness: a reference holds the value in a box of its type, or `with(_:_:)` lends it a value that stays in its
/// place until the closure ends. A lent reference is passed only to functions that return before that, and to tests
/// that were made for the value's type. A choice compares the types first.
@safe
@usableFromInline
package struct ContextReference {
  @safe
  @usableFromInline
  enum Source {
    case lent(UnsafeRawPointer)
    case held(AnyBox)
  }

  @usableFromInline let source: Source
  @usableFromInline package let type: any Any.Type
  /// What rules have noted about the value.
  @usableFromInline let notes: AnyObject?

  @inlinable
  init(_ source: Source, _ type: any Any.Type, _ notes: AnyObject? = nil) {
    (self.source, self.type, self.notes) = (source, type, notes)
  }

  /// A reference that holds a value.
  init<Context: Sendable>(holding context: Context) { self.init(.held(Box(context)), Context.self) }

  /// A reference that holds a value whose type is not known here.
  package init(copying context: any Sendable) {
    func hold<Context: Sendable>(_ context: Context) -> ContextReference { ContextReference(holding: context) }
    self = _openExistential(context, do: hold)
  }

  /// Lends a value to a closure.
  @inlinable
  @inline(__always)
  package static func with<Context, Result, Failure: Error>(
    _ context: Context, _ body: (ContextReference) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafePointer(to: context) { (pointer) throws(Failure) in
      try body(ContextReference(unsafe .lent(UnsafeRawPointer(pointer)), Context.self))
    }
  }

  /// Lends the value, with its type, to a closure.
  @inlinable
  @inline(__always)
  package func open<Context, Result>(
    as context: Context.Type, _ body: (Context) throws -> Result
  ) rethrows -> Result {
    switch source {
    case .lent(let address): try body(unsafe address.assumingMemoryBound(to: Context.self).pointee)
    case .held(let box): try body(box.open())
    }
  }

  /// A copy of the value.
  ///
  /// Soundness of the cast: both types have one layout, and an injector makes choices only in `Sendable` values.
  package var copy: any Sendable {
    func value<Context>(_ type: Context.Type) -> Any { open(as: type) { $0 } }
    return unsafe unsafeBitCast(_openExistential(type, do: value), to: (any Sendable).self)
  }
}
