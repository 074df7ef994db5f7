package import Plug
import Synchronization

package protocol Networking: Sendable {
  var name: String { get }
}

package struct HTTPNetworking: Networking {
  package var name = "http"

  package init(name: String = "http") {
    self.name = name
  }
}

package final class Instance: Networking {
  package let name: String

  package init(_ name: String = "instance") {
    self.name = name
  }
}

/// Counts from several threads.
package final class Counter: Sendable {
  private let count = Atomic(0)

  package init() {}

  package var value: Int { count.load(ordering: .sequentiallyConsistent) }

  @discardableResult
  package func increment() -> Int {
    count.add(1, ordering: .sequentiallyConsistent).newValue
  }
}

/// A value whose hash is always the same.
package struct Colliding: Hashable, Sendable {
  package let number: Int

  package init(number: Int) {
    self.number = number
  }

  package func hash(into hasher: inout Hasher) {}
}

package struct Failure: Error, Equatable, CustomStringConvertible {
  package init() {}

  package var description: String { "the disk is full" }
}

extension Result where Failure == InjectorError {
  /// The path of a circular dependency, if that is the outcome.
  package var circularPath: [String]? {
    if case .failure(.circularDependency(_, let path)) = self { path } else { nil }
  }
}

extension Injector {
  /// The outcome of a `get`, for a comparison outside of the requesting thread.
  package func outcome<Service: Sendable>(_ type: Service.Type, tag: Tag? = nil) -> Result<Service, InjectorError> {
    Result { () throws(InjectorError) in try get(type, tag: tag) }
  }
}

/// Returns a sealed injector with the registrations of the closure.
package func makeSealed(_ register: (Injector) throws -> Void) throws -> Injector {
  let services = Injector("services")
  try register(services)
  try services.seal()
  return services
}
