import Plug

extension DependencyGraph {
  /// The graph as a Mermaid flowchart, which code-hosting sites render as a picture.
  ///
  /// ```swift
  /// let text = services.graph().mermaid
  /// ```
  ///
  /// Arrows lead from a service to its dependencies, dotted lines to its candidates. For the format, see
  /// mermaid.js.org/syntax/flowchart.html.
  public var mermaid: String {
    var lines = ["flowchart LR"]
    for (number, node) in nodes.enumerated() {
      let text = node.label.map { $0.escaping(["\"": "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;", "\n": " "]) }
        .joined(separator: "<br/>")
      switch node.kind {
      case .implementation: lines.append("  n\(number)[\"\(text)\"]")
      case .choice: lines.append("  n\(number){{\"\(text)\"}}")
      case .missing: lines.append("  n\(number)([\"\(text)\"])")
      }
    }
    var last: String?
    for edge in edges {
      let start = "  n\(edge.from) \(edge.kind.arrow)"
      if start == last { lines[lines.count - 1] += " & n\(edge.to)" } else { lines.append("\(start) n\(edge.to)") }
      last = start
    }
    return lines.joined(separator: "\n")
  }

  /// The graph in the DOT language of Graphviz.
  ///
  /// Save it and run `dot -Tsvg graph.dot > graph.svg`. For the format, see graphviz.org/doc/info/lang.html.
  public var graphviz: String {
    var lines = ["digraph {", "  rankdir=LR", "  node [shape=box]"]
    for (number, node) in nodes.enumerated() {
      let text = node.label.map { $0.escaping(["\\": "\\\\", "\"": "\\\"", "\n": "\\n"]) }.joined(separator: "\\n")
      let shape =
        switch node.kind {
        case .implementation: ""
        case .choice: ", shape=hexagon"
        case .missing: ", shape=oval, color=red"
        }
      lines.append("  n\(number) [label=\"\(text)\"\(shape)]")
    }
    for edge in edges {
      let style =
        switch edge.kind {
        case .known, .recorded: ""
        case .declared: " [label=declared]"
        case .configure: " [label=configure, style=dashed, constraint=false]"
        case .candidate: " [style=dotted, arrowhead=none]"
        }
      lines.append("  n\(edge.from) -> n\(edge.to)\(style)")
    }
    return (lines + ["}"]).joined(separator: "\n")
  }
}

extension DependencyGraph.Edge.Kind {
  /// The arrow that Mermaid draws for an edge.
  fileprivate var arrow: String {
    switch self {
    case .known, .recorded: "-->"
    case .declared: "-- declared -->"
    case .configure: "-. configure .->"
    case .candidate: "-.-"
    }
  }
}

extension DependencyGraph.Node {
  /// The lines of the node's label: the name, or the id of a candidate, and the lifetime and decorators.
  fileprivate var label: [String] {
    switch kind {
    case .implementation:
      [candidate ?? name, lifetime?.rawValue ?? ""] + decorators.map { "decorated by \($0)" }
    case .choice: [name]
    case .missing: [name, "not registered"]
    }
  }
}

extension String {
  /// The string with special scalars replaced. A combining mark after a scalar would make it a different character.
  fileprivate func escaping(_ escapes: [Unicode.Scalar: String]) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let escape = escapes[scalar] { text.append(contentsOf: escape.unicodeScalars) } else { text.append(scalar) }
    }
    return String(text)
  }
}
