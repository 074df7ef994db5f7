private struct ArgumentsRequest<First: Sendable, each Rest: Sendable>: ServiceRequest {
  let injector: Injector
  let tag: Injector.Tag?
  let first: First
  let rest: (repeat each Rest)

  func first<Service: Sendable>(_ service: Service.Type) throws(InjectorError) -> Service?? {
    guard let entry = try injector.search(ArgumentsKey<Service, First, repeat each Rest>.self, tag) else { return nil }
    return .some(try entry.instance(first, repeat each rest, for: injector))
  }

  func identified<Service: Sendable>(
    _ service: Service.Type
  ) throws(InjectorError) -> [(id: String, service: Service)]? {
    guard let entry = try injector.search(ArgumentsKey<Service, First, repeat each Rest>.self, tag) else { return nil }
    return [(Fallback.id, try entry.instance(first, repeat each rest, for: injector))]
  }
}

extension Injector {
  /// Gives what is not registered for arguments, if it can be derived.
  @usableFromInline
  func derive<Service: Sendable, First: Sendable, each Rest: Sendable>(
    _ service: Service.Type, _ tag: Tag?, with first: First, _ rest: repeat each Rest
  ) throws(InjectorError) -> Service {
    let request = ArgumentsRequest(injector: self, tag: tag, first: first, rest: (repeat each rest))
    if let derived = try derive(service, from: request, orAbsent: true) { return derived }
    throw absence(of: ServiceKey(ArgumentsKey<Service, First, repeat each Rest>.self, tag))
  }
}
