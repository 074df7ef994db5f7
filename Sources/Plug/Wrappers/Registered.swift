/// A property that registers its ``Injection`` for as long as its owner lives.
///
/// ```swift
/// struct Configuration {
///   @Registered(in: .services) var network = Injection<any Networking>.singleton(HTTPNetworking())
/// }
/// let configuration = Configuration()  // registered from here on, until the last copy is gone
/// ```
///
/// If the injector refuses the registration (the service is registered already, or the injector is sealed), the program
/// ends with the diagnosis. A sealed injector keeps what it has, even when the owner goes.
@propertyWrapper
public struct Registered<Service: Sendable>: Sendable {
  /// The injection.
  public let wrappedValue: Injection<Service>

  private let lease: RegistrationLease<Service>

  /// Registers in the environment of a name.
  public init(
    wrappedValue: Injection<Service>, in name: Injector.Name = .default, tag: Injector.Tag? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(wrappedValue: wrappedValue, inInjector: Injector[name], tag: tag, fileID: fileID, line: line)
  }

  /// Registers in an injector.
  public init(
    wrappedValue: Injection<Service>, inInjector injector: Injector, tag: Injector.Tag? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.wrappedValue = wrappedValue
    let location = CodeLocation(fileID: "\(fileID)", line: Int(line))
    let cell = wrappedValue.makeCell(Declaration(Service.self, tag: tag, location: location))
    let injector = injector.isolatedForSetUp(fileID, line)
    orTrap("@Registered var of type \(typeName(Service.self)) at \(location) cannot register.", fileID, line) {
      () throws(InjectorError) in
      try injector.register(cell)
    }
    lease = RegistrationLease(cell, tag: tag, in: injector)
  }
}

/// Ends a registration when the last copy of its property is gone.
private final class RegistrationLease<Service: Sendable>: Sendable {
  private let cell: Cell<Service>
  private let tag: Injector.Tag?
  private let injector: Injector

  init(_ cell: Cell<Service>, tag: Injector.Tag?, in injector: Injector) {
    self.cell = cell
    self.tag = tag
    self.injector = injector
  }

  /// Leaves a registration alone that has replaced this one, and a sealed injector.
  deinit {
    try? injector.changing(Service.self, tag: tag, ownerWasReleased: true) { entry throws(Refusal) in
      guard let entry, entry.plain?.descends(from: cell) == true else { return entry }
      return entry.removingPlain()
    }
  }
}
