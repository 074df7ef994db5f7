/// A property wrapper that registers its ``Injection`` for as long as its owner lives.
///
/// ```swift
/// struct Configuration {
///   @Registered(in: .services)
///   var network = Injection<any Networking>.singleton(HTTPNetworking())
/// }
///
/// let configuration = Configuration()  // registered until it is released
/// ```
///
/// The registration ends when the last copy of the wrapper is released. A registration that has replaced it meanwhile
/// remains. A sealed injector keeps the registration even after its owner is released.
///
/// Creating the wrapper traps with a diagnostic if the injector rejects the registration: if the service is already
/// registered, or the injector is sealed or closed.
@propertyWrapper
public struct Registered<Service: Sendable>: Sendable {
  /// The registered injection.
  public let wrappedValue: Injection<Service>

  /// Removes the registration, if it is still there, when the last copy of the wrapper is released.
  private let lease: ObservationToken

  /// Registers an injection in the environment with a name.
  ///
  /// - Parameters:
  ///   - wrappedValue: How an instance is made, and how long it lives.
  ///   - name: The name of the environment.
  ///   - tag: Distinguishes the service from others of the same type.
  ///   - fileID: The file of the property, for diagnostics.
  ///   - line: The line of the property, for diagnostics.
  public init(
    wrappedValue: Injection<Service>, in name: Injector.Name = .default, tag: Injector.Tag? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(wrappedValue: wrappedValue, inInjector: Injector[name], tag: tag, fileID: fileID, line: line)
  }

  /// Registers an injection in an injector.
  ///
  /// - Parameters:
  ///   - wrappedValue: How an instance is made, and how long it lives.
  ///   - injector: The injector, which the wrapper keeps alive.
  ///   - tag: Distinguishes the service from others of the same type.
  ///   - fileID: The file of the property, for diagnostics.
  ///   - line: The line of the property, for diagnostics.
  public init(
    wrappedValue: Injection<Service>, inInjector injector: Injector, tag: Injector.Tag? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.wrappedValue = wrappedValue
    let location = CodeLocation(fileID: "\(fileID)", line: Int(line))
    let injector = injector.activeForSetUp(at: location)
    let registration = orTrap(
      "@Registered var of type \(typeName(Service.self)) at \(location) cannot register.", fileID, line
    ) { () throws(InjectorError) in
      try injector.register(Key(Service.self, tag), wrappedValue.definition, location.fileID, location.line)
    }
    lease = ObservationToken { injector.unregister(registration) }
  }
}
