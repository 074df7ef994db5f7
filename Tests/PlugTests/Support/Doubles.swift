import Plug
import Synchronization

protocol Networking: Sendable {
  var name: String { get }
}

struct HTTPNetworking: Networking {
  var name = "http"
}

final class Instance: Networking {
  let name: String

  init(_ name: String = "instance") {
    self.name = name
  }
}

/// Counts from several threads.
final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  @discardableResult
  func increment() -> Int {
    count.add(1, ordering: .sequentiallyConsistent).newValue
  }
}

/// Has the same hash whatever it is.
struct Colliding: Hashable, Sendable {
  let number: Int
  func hash(into hasher: inout Hasher) {}
}

struct Failure: Error, Equatable, CustomStringConvertible {
  var description: String { "the disk is full" }
}

extension Result where Failure == InjectorError {
  /// The path of a circular dependency, if that is the outcome.
  var circularPath: [String]? {
    if case .failure(.circularDependency(_, let path)) = self { path } else { nil }
  }
}

extension Injector {
  /// The outcome of a `get`, to be compared outside of the thread that asked.
  func outcome<Service: Sendable>(_ type: Service.Type, tag: Tag? = nil) -> Result<Service, InjectorError> {
    Result { () throws(InjectorError) in try get(type, tag: tag) }
  }
}

/// A sealed injector with what is registered in it.
func makeSealed(_ register: (Injector) throws -> Void) throws -> Injector {
  let services = Injector("services")
  try register(services)
  try services.seal()
  return services
}
