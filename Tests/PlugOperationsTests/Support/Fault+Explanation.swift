import Plug
import Testing

@testable import PlugOperations

extension Injector {
  /// The explanation of the first candidate.
  func semantic() throws -> Explanation.Element {
    try #require(explain(String.self, in: self).elements.first?.elements.first)
  }
}
