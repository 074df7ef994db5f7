import Plug

/// The candidates that are disabled or forced while the program runs, regardless of their rules.
///
/// ```swift
/// try services.disable("semantic", at: "search", because: "INC-7")
/// for entry in services[Switches.self].list { print(entry) }
/// // semantic at search: disabled since 2026-11-22T03:12:05Z because INC-7
///
/// let saved = try JSONEncoder().encode(services[Switches.self])
/// services[Switches.self] = try JSONDecoder()
///   .decode(Switches.self, from: saved)
/// ```
///
/// Switches can be observed, and can be set in a sealed injector. An isolated test has its own. A scope has the
/// switches of its parents and its own, which take precedence. A change takes effect with the next choice on any
/// thread.
///
/// A switch that names an unknown candidate has no effect until that candidate is registered. A switch that was set on
/// its own stays with its service, even if another service gets the same name. A switch of a list that you set applies
/// to every service with its name. Plug does not write switches to disk: save those that have to survive the process.
public struct Switches: Sendable {
  /// The switches, in the order of their creation. Each candidate has at most one switch at a point.
  public private(set) var list: [Switch]

  private var places: [Place: Int] = [:]
  /// The full names of the services for which switches were set one by one.
  private var services: [Place: String] = [:]

  /// Creates switches.
  ///
  /// - Parameter list: The switches. If several have the same candidate and point, the last one counts.
  public init(_ list: [Switch] = []) {
    var last: [Place: Int] = [:]
    for (index, entry) in list.enumerated() { last[entry.place] = index }
    self.list = list.enumerated().filter { last[$1.place] == $0 }.map(\.element)
    index()
  }

  /// Whether there are no switches.
  public var isEmpty: Bool { list.isEmpty }

  /// The switch of a candidate at a point.
  ///
  /// - Complexity: O(1).
  public subscript(_ candidate: String, at point: String) -> Switch? {
    places[Place(candidate: candidate, point: point)].map { list[$0] }
  }

  /// Adds a switch, and replaces an earlier switch of the candidate at the point.
  mutating func set(_ entry: Switch, of service: String) {
    if places[entry.place] != nil { remove { $0.place == entry.place } }
    places[entry.place] = list.count
    services[entry.place] = service
    list.append(entry)
  }

  /// Whether a switch applies to a service that it names, and was not set for another one with the name.
  func mean(_ service: String, by entry: Switch) -> Bool { services[entry.place].map { $0 == service } ?? true }

  /// Removes switches.
  mutating func remove(where isGone: (Switch) -> Bool) {
    let count = list.count
    list.removeAll(where: isGone)
    if list.count < count { index() }
  }

  private mutating func index() {
    places = [:]
    for (index, entry) in list.enumerated() { places[entry.place] = index }
    services = services.filter { places[$0.key] != nil }
  }

  fileprivate struct Place: Hashable {
    let candidate: String
    let point: String
  }

  /// A switch of one candidate, with its reason and its time.
  public struct Switch: Sendable, Hashable {
    /// The effect of a switch on its candidate.
    public enum Action: String, Sendable, Hashable, Codable {
      /// The candidate applies in no context. Its rule is not evaluated.
      case disabled

      /// The candidate wins in every context, regardless of its rule and the rules of its points.
      case forced
    }

    /// The id of the candidate; `"default"` for the registration without a rule.
    public let candidate: String

    /// The id of a point that contains the candidate, or the name of the service, with or without its module.
    public let point: String

    /// The effect of the switch.
    public let action: Action

    /// The reason for the switch.
    public let reason: String

    /// The time of the switch, in seconds since 1970-01-01T00:00:00Z; `nil` if it is unknown.
    public let since: Double?

    /// Creates a switch.
    ///
    /// - Parameters:
    ///   - candidate: The id of the candidate.
    ///   - point: The id of a point that contains the candidate, or the name of the service.
    ///   - action: The effect of the switch.
    ///   - reason: The reason for the switch.
    ///   - since: The time of the switch, in seconds since 1970; `nil` or a number that is not finite if it is unknown.
    public init(_ candidate: String, at point: String, _ action: Action, because reason: String, since: Double? = nil) {
      (self.candidate, self.point, self.action) = (candidate, point, action)
      (self.reason, self.since) = (reason, since.flatMap { $0.isFinite ? $0 : nil })
    }

    fileprivate var place: Place { Place(candidate: candidate, point: point) }

    /// The action, its time, and its reason.
    var decision: String {
      "\(action.rawValue)\(since.map { " since \(timestamp($0))" } ?? "") because \(reason)"
    }
  }
}

extension Switches: Hashable {
  /// Returns whether both values contain equal switches in the same order.
  public static func == (first: Self, second: Self) -> Bool { first.list == second.list }

  /// Feeds the switches to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(list) }
}

/// Encoded as the list.
extension Switches: Codable {
  /// Reads a list of switches.
  public init(from decoder: any Decoder) throws { self.init(try decoder.read(Self.list)) }

  /// Writes the list.
  public func encode(to encoder: any Encoder) throws { try JSON.array(list.map(\.json)).encode(to: encoder) }

  static func list(_ json: JSON) throws -> [Switch] {
    guard let list = try json.list({ try Switch($0) }) else { throw Malformed("a list of switches was expected") }
    return list
  }
}

extension Switches.Switch: Codable, JSONCodable {
  init(_ json: JSON) throws {
    self.init(
      try json.member("candidate", \.text), at: try json.member("point", \.text),
      try json.member("action") { $0.text.flatMap(Action.init) }, because: try json.member("reason", \.text),
      since: try json.optional("since", \.double))
  }

  var json: JSON {
    JSON(members: [
      "candidate": .string(candidate), "point": .string(point), "action": .string(action.rawValue),
      "reason": .string(reason), "since": since.map(JSON.of),
    ])
  }
}

extension Switches.Switch: CustomStringConvertible {
  /// One line, such as `semantic at search: disabled since 2026-11-22T03:12:05Z because INC-7`.
  public var description: String { "\(candidate) at \(point): \(decision)" }
}
