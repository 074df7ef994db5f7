import Plug
import PlugOperations

/// The output format of the shop's graph.
enum GraphFormat: String, CaseIterable {
  case mermaid
  case dot
  case text

  init(_ value: String) throws(UsageError) {
    guard let format = Self(rawValue: value) else {
      throw .invalidValue(value, option: "--graph", allowed: Self.allCases.map(\.rawValue))
    }
    self = format
  }

  func text(of graph: DependencyGraph) -> String {
    switch self {
    case .mermaid: graph.mermaid
    case .dot: graph.graphviz
    case .text: graph.description
    }
  }
}
