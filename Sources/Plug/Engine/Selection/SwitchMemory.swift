public import Synchronization

/// What has been found out last about the switches of one selector, to be read without a lock: a sequence lock, as in
/// `WordCopy`.
///
/// Soundness of the address: it stands for a state that this keeps as long as the address stands here. Of the memory:
/// it has a bit for each candidate of the selector, and lives as long as this does. Of the load: what is published is a
/// reference, which stays as long as the selector; an `Unmanaged` has the same bits, and counts nothing.
@safe
@usableFromInline
final class SwitchMemory: @unchecked Sendable {
  /// Odd while what follows changes.
  @usableFromInline let sequence = Atomic<UInt>(0)
  @usableFromInline let isEmpty = Atomic(true)
  @usableFromInline let forced = Atomic<Int>(-1)
  /// The candidates that are disabled, a bit each.
  @usableFromInline let disabled: UnsafeMutablePointer<Atomic<UInt>>

  private let wordCount: Int
  private let address = Atomic<UInt>(0)
  private let stamp = Atomic<UInt>(0)
  private let owner = Guarded<AnyEntry?>(nil)

  init(candidates count: Int) {
    wordCount = count / UInt.bitWidth + 1
    unsafe disabled = .allocate(capacity: wordCount)
    for word in 0..<wordCount { unsafe (disabled + word).initialize(to: Atomic(0)) }
  }

  deinit {
    unsafe disabled.deinitialize(count: wordCount)
    unsafe disabled.deallocate()
  }

  /// A look at what is known; what it has shown counts if it is still the same afterwards.
  @unsafe
  @usableFromInline
  struct Look {
    @usableFromInline let memory: Unmanaged<SwitchMemory>
    @usableFromInline let sequence: UInt

    @inlinable var isSame: Bool {
      unsafe memory._withUnsafeGuaranteedRef { $0.sequence.load(ordering: .relaxed) } == sequence
    }

    /// Whether no candidate is switched.
    @inlinable var isEmpty: Bool { unsafe memory._withUnsafeGuaranteedRef { $0.isEmpty.load(ordering: .acquiring) } }

    /// The place of the candidate that is forced; -1 if there is none.
    @inlinable var forced: Int { unsafe memory._withUnsafeGuaranteedRef { $0.forced.load(ordering: .acquiring) } }

    @inlinable
    func isDisabled(_ place: Int) -> Bool {
      unsafe memory._withUnsafeGuaranteedRef { memory in
        let word = unsafe memory.disabled[place / UInt.bitWidth].load(ordering: .acquiring)
        return word & (1 << UInt(place % UInt.bitWidth)) != 0
      }
    }

    /// What is known; nothing if that has changed while it was read.
    var switched: Switched? {
      let forced = unsafe forced
      let disabled = unsafe memory._withUnsafeGuaranteedRef { $0.disabledPlaces }
      return unsafe isSame ? Switched(disabled: disabled, forced: forced < 0 ? nil : forced) : nil
    }
  }

  private var disabledPlaces: Set<Int> {
    var places: Set<Int> = []
    for index in 0..<wordCount {
      var word = unsafe disabled[index].load(ordering: .acquiring)
      while word != 0 {
        places.insert(index * UInt.bitWidth + word.trailingZeroBitCount)
        word &= word - 1
      }
    }
    return places
  }

  /// Looks at what is known about the switches that an injector has now; nothing if it has to be found out.
  @usableFromInline
  static func look(at memory: borrowing Published, in registrations: Registrations) -> Look? {
    guard let place = unsafe memory.pointer(to: SwitchMemory.self) else { return nil }
    let memory = unsafe UnsafeRawPointer(place).load(as: Unmanaged<SwitchMemory>.self)
    return unsafe registrations.withState(Switches.self) { state in
      unsafe state._withUnsafeGuaranteedRef { state in
        unsafe memory._withUnsafeGuaranteedRef {
          unsafe $0.look(state, state.copy.stamp.load(ordering: .acquiring))
        }
      }
    }
  }

  private func look(_ state: AnyEntry, _ stamp: UInt) -> Look? {
    let sequence = sequence.load(ordering: .acquiring)
    let isKnown =
      sequence.isMultiple(of: 2) && self.stamp.load(ordering: .acquiring) == stamp
      && address.load(ordering: .acquiring) == UInt(bitPattern: ObjectIdentifier(state))
    return unsafe isKnown ? Look(memory: .passUnretained(self), sequence: sequence) : nil
  }

  /// Remembers what has been found out about the value of a state that has a stamp.
  func keep(_ switched: Switched, of state: AnyEntry, _ stamp: UInt) {
    let old = owner.withLock { owner -> AnyEntry? in
      sequence.add(1, ordering: .relaxed)
      address.store(UInt(bitPattern: ObjectIdentifier(state)), ordering: .releasing)
      self.stamp.store(stamp, ordering: .releasing)
      for index in 0..<wordCount { unsafe disabled[index].store(switched.word(index), ordering: .releasing) }
      forced.store(switched.forced ?? -1, ordering: .releasing)
      isEmpty.store(switched.disabled.isEmpty && switched.forced == nil, ordering: .releasing)
      sequence.add(1, ordering: .releasing)
      defer { owner = state }
      return owner
    }
    withExtendedLifetime(old) {}
  }
}

extension Switched {
  /// The disabled ones among as many candidates as a word has bits.
  fileprivate func word(_ index: Int) -> UInt {
    let first = index * UInt.bitWidth
    return disabled.reduce(into: 0) { word, place in
      if (first..<first + UInt.bitWidth).contains(place) { word |= 1 << UInt(place - first) }
    }
  }
}
