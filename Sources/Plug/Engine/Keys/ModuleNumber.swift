import Synchronization

/// Which module registers something, as a number that every declaration has room for.
struct ModuleNumber: Sendable, Equatable {
  /// No module does.
  static let none = ModuleNumber(value: 0)

  /// How many modules are being installed, so that nothing else is looked at as long as none is.
  private static let installations = Atomic(0)
  @TaskLocal private static var installing = none

  /// The names, by number; the number of the first is 1.
  private static let names = Guarded<[String]>([])

  private let value: Int32

  private init(value: Int32) {
    self.value = value
  }

  /// The number of a name, which stays the same.
  init(_ name: String) {
    value = Self.names.withLock { names in
      if let known = names.firstIndex(of: name) { return Int32(known + 1) }
      names = names.adding([name])
      return Int32(names.count)
    }
  }

  /// The module that is being installed by the calling code.
  static var current: ModuleNumber { installations.load(ordering: .relaxed) == 0 ? none : installing }

  var name: String? { self == .none ? nil : Self.names.withLock { $0[Int(value) - 1] } }

  /// Runs what a module registers.
  func install<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.installations.add(1, ordering: .relaxed)
    defer { Self.installations.subtract(1, ordering: .relaxed) }
    return try Self.$installing.withValue(self, operation: body)
  }
}
