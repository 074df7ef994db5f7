import Plug
import Testing

#if canImport(PlugOperations)
  @testable import PlugOperations
#endif

extension Injector {
  /// What is said of the first candidate.
  func semantic() throws -> Explanation.Element {
    try #require(explain(String.self, in: self).elements.first?.elements.first)
  }
}
