/// Something that wraps the instances of a service, whatever its type.
class AnyDecoration: @unchecked Sendable {
  // Soundness of the unchecked conformance: immutable Sendable state only, here and in the subclass.
  let id: String
  let isolation: FactoryIsolation

  init(id: String, isolation: FactoryIsolation) {
    self.id = id
    self.isolation = isolation
  }
}

/// Something that wraps the instances of a service.
final class Decoration<Service: Sendable>: AnyDecoration, @unchecked Sendable {
  let wrap: @Sendable (Service, Injector) throws -> Service

  init(
    id: String, isolation: FactoryIsolation, _ wrap: @escaping @Sendable (Service, Injector) throws -> Service
  ) {
    self.wrap = wrap
    super.init(id: id, isolation: isolation)
  }
}
