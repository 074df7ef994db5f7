import Model
import Store
import Synchronization

/// A server that sells tea and cups.
struct FakeNetwork: Network {
  func lines(of path: String) async throws -> [String] { ["tea,Tea,500", "cup,Cup,1200"] }
}

/// A server that nobody reaches.
struct BrokenNetwork: Network {
  struct Offline: Error {}

  func lines(of path: String) async throws -> [String] { throw Offline() }
}

/// Remembers the messages that it should show.
final class RecordingNavigation: Navigation {
  private(set) var path: [Product.ID] = []

  func show(_ product: Product.ID) { path.append(product) }
}

extension Product {
  nonisolated static let tea = Product(id: "tea", name: "Tea", cents: 500)
  nonisolated static let cup = Product(id: "cup", name: "Cup", cents: 1200)
}

extension Shopper {
  nonisolated static let member = Shopper(id: "ada", enabledFeatures: ["member"])
  nonisolated static let guest = Shopper(id: "bo")
}

/// Whether an observer has reported a change, which it can do on any thread.
nonisolated final class Changed: Sendable {
  private let noted = Atomic(false)

  var isNoted: Bool { noted.load(ordering: .acquiring) }

  func note() { noted.store(true, ordering: .releasing) }
}
