import Synchronization

/// Which module registers something, as a number that every declaration has room for.
struct ModuleNumber: Sendable, Equatable {
  /// No module does.
  static let none = ModuleNumber(value: 0)

  /// How many modules are being installed, so that nothing else is looked at as long as none is.
  private static let installations = Atomic(0)
  @TaskLocal private static var installing = none

  /// All modules, by number; the number of the first is 1. A metatype lives as long as the program, so that its address
  /// identifies it.
  private static let modules = Guarded<[(type: ObjectIdentifier, name: String)]>([])

  private let value: Int32

  private init(value: Int32) {
    self.value = value
  }

  /// The number of a module, which stays the same.
  init(_ module: any Any.Type) {
    let (type, name) = (ObjectIdentifier(module), typeName(module))
    value = Self.modules.withLock { modules in
      if let known = modules.firstIndex(where: { $0.type == type }) { return Int32(known + 1) }
      modules = modules.adding([(type, name)])
      return Int32(modules.count)
    }
  }

  /// The number of the first module of a name, for places that only have the name.
  init?(named name: String) {
    guard let known = Self.modules.withLock({ $0.firstIndex { $0.name == name } }) else { return nil }
    value = Int32(known + 1)
  }

  /// The module that is being installed by the calling code.
  static var current: ModuleNumber { installations.load(ordering: .relaxed) == 0 ? none : installing }

  var name: String? { self == .none ? nil : Self.modules.withLock { $0[Int(value) - 1].name } }

  /// Runs what a module registers.
  func install<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.installations.add(1, ordering: .relaxed)
    defer { Self.installations.subtract(1, ordering: .relaxed) }
    return try Self.$installing.withValue(self, operation: body)
  }
}
