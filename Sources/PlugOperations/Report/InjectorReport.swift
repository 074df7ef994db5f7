public import Plug

/// The state of an injector: its services, switches, failures, and current activity.
///
/// ``Plug/Injector/report()`` returns it.
public struct InjectorReport: Sendable, Hashable {
  /// The operations that the injector allows.
  public enum State: String, Sendable, Hashable, Codable {
    /// Services can be registered.
    case open

    /// It is sealed.
    case sealed

    /// It has been closed, and instances are still being closed.
    case closing

    /// It has been closed.
    case closed
  }

  /// A candidate whose last attempts failed; see ``FailurePolicy``.
  public struct Failing: Sendable, Hashable {
    /// The service, with its tag, and with its module if another service has the same name.
    public let service: String

    /// The id of the candidate.
    public let candidate: String

    /// The number of failures, the last error and its time.
    public let failure: Explanation.Failure

    /// Whether the candidate is in quarantine.
    public let isQuarantined: Bool
  }

  /// A section that another product adds, such as the sources of flags.
  public struct Section: Sendable, Hashable {
    /// The title of the section.
    public let title: String

    /// The lines of the section.
    public let lines: [String]
  }

  /// The name of the injector, such as `services/request` for a scope; `nil` if it has none.
  public let injector: String?

  /// The state of the injector.
  public let state: State

  /// The disabled and forced candidates, in the order of their switches.
  public let switches: [Switches.Switch]

  /// The candidates whose last attempts failed.
  public let failing: [Failing]

  /// The services that are being loaded now.
  public let loading: [String]

  /// The last selections, oldest first, if ``Plug/Injector/rememberSelections(last:)`` was called.
  public let selections: [Exposure]

  /// The sections of other products.
  public let sections: [Section]

  /// The services and their dependencies.
  public let graph: DependencyGraph
}

extension InjectorReport: CustomStringConvertible {
  /// A headline, the switches, failures, loads and selections, the sections of other products, and the graph.
  public var description: String {
    var sections: [(title: String, lines: [String])] = []
    sections.append(("switches", switches.map(\.description)))
    sections.append(("failing", failing.map { "\($0.service) [\($0.candidate)]: \($0.failure)" }))
    sections.append(("loading", loading))
    sections.append(("selections", selections.map(\.description)))
    sections += self.sections.map { ($0.title, $0.lines) }
    sections.append(("graph", graph.description.isEmpty ? [] : [graph.description]))
    let texts = sections.filter { !$0.lines.isEmpty }.map { title, lines in
      "\(title):\n" + lines.map { $0.indented(by: 2) }.joined(separator: "\n")
    }
    return (["\(injector ?? "an injector without a name"), \(state.rawValue)"] + texts.map { $0.indented(by: 2) })
      .joined(separator: "\n")
  }
}

extension InjectorReport: Codable, JSONCodable {
  init(_ json: JSON) throws {
    self.init(
      injector: try json.optional("injector", \.text),
      state: try json.member("state") { $0.text.flatMap(State.init) },
      switches: try json.member("switches") { try Switches.list($0) },
      failing: try json.member("failing") { try $0.list { try Failing($0) } },
      loading: try json.member("loading", \.texts),
      selections: try json.member("selections") { try $0.list { try Exposure($0) } },
      sections: try json.optional("sections") { try $0.list { try Section($0) } } ?? [],
      graph: try json.member("graph") { try DependencyGraph($0) })
  }

  var json: JSON {
    JSON(members: [
      "injector": injector.map(JSON.string), "state": .string(state.rawValue),
      "switches": .array(switches.map(\.json)), "failing": .array(failing.map(\.json)),
      "loading": .array(loading.map(JSON.string)), "selections": .array(selections.map(\.json)),
      "sections": sections.isEmpty ? nil : .array(sections.map(\.json)), "graph": graph.json,
    ])
  }
}

extension InjectorReport.Section: Codable, JSONCodable {
  init(_ json: JSON) throws {
    self.init(title: try json.member("title", \.text), lines: try json.member("lines", \.texts))
  }

  var json: JSON { JSON(members: ["title": .string(title), "lines": .array(lines.map(JSON.string))]) }
}

extension InjectorReport.Failing: Codable, JSONCodable {
  init(_ json: JSON) throws {
    self.init(
      service: try json.member("service", \.text), candidate: try json.member("candidate", \.text),
      failure: try json.member("failure") { try Explanation.Failure($0) },
      isQuarantined: try json.member("isQuarantined", \.flag))
  }

  var json: JSON {
    JSON(members: [
      "service": .string(service), "candidate": .string(candidate), "failure": failure.json,
      "isQuarantined": .boolean(isQuarantined),
    ])
  }
}
