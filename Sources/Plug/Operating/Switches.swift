/// The candidates that are disabled or forced while the program runs, whatever their rules say.
///
/// ```swift
/// try services.disable("semantic", at: "search", because: "INC-7")
/// for entry in services[Switches.self].list { print(entry) }
/// // semantic at search: disabled since 2026-11-22T03:12:05Z because INC-7
///
/// let saved = try JSONEncoder().encode(services[Switches.self])
/// services[Switches.self] = try JSONDecoder().decode(Switches.self, from: saved)
/// ```
///
/// It is a ``Property``: it can be set in a sealed injector and observed; in an isolated test it is the test's own. A
/// scope has the switches of the injector it was opened in until some are set there. Setting it takes effect with the
/// next choice, on any thread.
///
/// A switch that names no candidate has no effect, until such a candidate is registered. Plug does not write switches
/// to disk: what has to survive the process is saved by whoever sets it.
public struct Switches: Property, Sendable {
  /// Nothing is switched.
  public static var defaultValue: Switches { Switches() }

  /// What is switched, in the order in which it was. There is one switch for a candidate at a point.
  public private(set) var list: [Switch]

  /// Lets choices look for switches while there are any.
  private var demand: Demand?

  private final class Demand: Sendable {
    init() { Instrumentation.shared.beginSwitching() }
    deinit { Instrumentation.shared.endSwitching() }
  }

  /// Creates switches.
  ///
  /// - Parameter list: What is switched; of several for one candidate at one point the last counts.
  public init(_ list: [Switch] = []) {
    var places: [Place: Int] = [:]
    for (index, entry) in list.enumerated() { places[entry.place] = index }
    self.list = list.enumerated().filter { places[$1.place] == $0 }.map(\.element)
    demand = list.isEmpty ? nil : Demand()
  }

  /// Whether nothing is switched.
  public var isEmpty: Bool { list.isEmpty }

  /// What is said of a candidate at a point.
  public subscript(_ candidate: String, at point: String) -> Switch? {
    list.first { $0.place == Place(candidate: candidate, point: point) }
  }

  /// Adds a switch, in place of the one that the candidate has at the point.
  mutating func set(_ entry: Switch) { self = Switches(list + [entry]) }

  /// Removes switches.
  mutating func remove(where isGone: (Switch) -> Bool) { self = Switches(list.filter { !isGone($0) }) }

  fileprivate struct Place: Hashable {
    let candidate: String
    let point: String
  }

  /// A candidate that is disabled or forced, by whom or what, and since when.
  public struct Switch: Sendable, Hashable, Codable {
    /// What is done to the candidate.
    public enum Action: String, Sendable, Hashable, Codable {
      /// It applies in no context. Its rule is not evaluated.
      case disabled

      /// It comes first in every context, whatever its rule and the rules around it say.
      case forced
    }

    /// The id of the candidate; `"default"` for the registration without a rule.
    public let candidate: String

    /// The id of a point that contains the candidate, or the name of the service.
    public let point: String

    /// What is done to it.
    public let action: Action

    /// Why.
    public let reason: String

    /// Since when, in seconds since 1970-01-01T00:00:00Z; `nil` if that is not known.
    public let since: Double?

    /// Creates a switch.
    public init(_ candidate: String, at point: String, _ action: Action, because reason: String, since: Double? = nil) {
      (self.candidate, self.point, self.action) = (candidate, point, action)
      (self.reason, self.since) = (reason, since)
    }

    fileprivate var place: Place { Place(candidate: candidate, point: point) }

    /// What is done, since when and why.
    var decision: String {
      "\(action.rawValue)\(since.map { " since \(timestamp($0))" } ?? "") because \(reason)"
    }
  }
}

extension Switches: Hashable {
  /// Whether the same candidates are switched, in the same order and for the same reasons.
  public static func == (first: Self, second: Self) -> Bool { first.list == second.list }

  /// Feeds the switches to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(list) }
}

/// Written as the list.
extension Switches: Codable {
  /// Reads a list of switches.
  public init(from decoder: any Decoder) throws {
    self.init(try [Switch](from: decoder))
  }

  /// Writes the list.
  public func encode(to encoder: any Encoder) throws { try list.encode(to: encoder) }
}

extension Switches.Switch: CustomStringConvertible {
  /// One line, such as `semantic at search: disabled since 2026-11-22T03:12:05Z because INC-7`.
  public var description: String { "\(candidate) at \(point): \(decision)" }
}
