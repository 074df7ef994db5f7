public import Synchronization

/// A copy of a value that fits into a word, to be read without a lock: a sequence lock (H.-J. Boehm, "Can seqlocks get
/// along with programming language memory models?", MSPC 2012), whose reader goes to the real one instead of trying
/// again.
///
/// Soundness of the unsafe accesses: a word has room for a value, and is aligned for it, if `isPossible`; a value that
/// is plain data may be copied byte by byte. Only who keeps the value knows its type: a copy that did
/// would look for its own metadata at its end.
@safe
@usableFromInline
struct WordCopy: ~Copyable {
  /// One more than the version of the value, also where that does not fit; 0 while there is none, and while it changes.
  @usableFromInline let stamp = Atomic<UInt>(0)
  @usableFromInline let word = Atomic<UInt>(0)

  @inlinable
  init() {}

  /// Whether there is a value. For one who knows that nobody changes it.
  var isThere: Bool { stamp.load(ordering: .relaxed) != 0 }

  @inlinable
  static func isPossible<Value>(of type: Value.Type) -> Bool {
    _isPOD(Value.self) && MemoryLayout<Value>.size <= MemoryLayout<UInt>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
  }

  /// The value; `nil` if it has to be looked for where it is kept.
  @inlinable
  func load<Value>(as type: Value.Type) -> Value? {
    guard Self.isPossible(of: type), case let stamp = stamp.load(ordering: .acquiring), stamp != 0 else { return nil }
    let word = word.load(ordering: .acquiring)
    guard self.stamp.load(ordering: .relaxed) == stamp else { return nil }
    return unsafe withUnsafeBytes(of: word) { unsafe $0.load(as: type) }
  }

  /// The value with its version, or with an earlier one if it has just been replaced.
  @inlinable
  func loadVersioned<Value>(as type: Value.Type) -> (value: Value?, version: UInt)? {
    let stamp = stamp.load(ordering: .acquiring)
    return load(as: type).map { ($0, stamp &- 1) }
  }

  /// Replaces the value. For one who holds the lock of the place where it is kept.
  ///
  /// - Parameter version: A number that no other value has had.
  @inlinable
  func store<Value>(_ value: Value?, version: UInt) {
    stamp.store(0, ordering: .relaxed)
    guard let value else { return }
    if Self.isPossible(of: Value.self) {
      var bytes: UInt = 0
      unsafe withUnsafeMutableBytes(of: &bytes) { unsafe $0.baseAddress?.storeBytes(of: value, as: Value.self) }
      // Released, so that whoever sees the new word also sees that the stamp has changed.
      word.store(bytes, ordering: .releasing)
    }
    stamp.store(version &+ 1, ordering: .releasing)
  }
}
