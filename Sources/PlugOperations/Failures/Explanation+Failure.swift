public import Plug

extension Explanation {
  /// How making a candidate has failed since it was made the last time.
  public struct Failure: Sendable, Hashable {
    /// How many times in a row.
    public let count: Int

    /// What went wrong the last time, in one line.
    public let error: String

    /// When that was, in seconds since 1970-01-01T00:00:00Z.
    public let time: Double

    /// For how many seconds the candidate is not tried from now on; 0 if one choice tries it next, or does right now;
    /// `nil` if it is not in quarantine.
    public let quarantine: Double?
  }
}

extension Explanation.Verdict {
  /// The candidate could not be made the last times and is not tried now, see ``FailurePolicy``.
  public static let quarantined = Self(rawValue: "quarantined")
}

extension Explanation.Element {
  /// How making the candidate has failed; `nil` if it has not, or if others do not take its place then.
  public var failure: Explanation.Failure? { try? Explanation.Failure(json[Explanation.Failure.valueName]) }
}

extension Explanation.Failure: Codable, JSONCodable {
  init(_ json: JSON) throws {
    self.init(
      count: try json.member("count", \.int), error: try json.member("error", \.text),
      time: try json.member("time", \.double), quarantine: try json.optional("quarantine", \.double))
  }

  var json: JSON {
    JSON(members: [
      "count": .of(count), "error": .string(error), "time": .of(time), "quarantine": quarantine.map(JSON.of),
    ])
  }

  static let valueName = "failure"
}

extension Explanation.Failure: CustomStringConvertible {
  /// How often, when and why, and for how long it is not tried.
  public var description: String {
    let times = "failed \(count == 1 ? "once" : "\(count) times in a row"), at \(timestamp(time)): \(error)"
    guard let quarantine else { return times }
    return times + (quarantine > 0 ? ", not tried for \(decimal(quarantine)) s" : ", on trial")
  }
}
