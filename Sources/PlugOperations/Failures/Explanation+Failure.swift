public import Plug

extension Explanation {
  /// The failures to make a candidate since it was last made.
  public struct Failure: Sendable, Hashable {
    /// The number of failures in a row.
    public let count: Int

    /// The last error, in one line.
    public let error: String

    /// The time of the last failure, in seconds since 1970-01-01T00:00:00Z.
    public let time: Double

    /// The remaining quarantine in seconds; 0 if the next choice tries the candidate, or a choice is trying it now;
    /// `nil` if it is not in quarantine.
    public let quarantine: Double?
  }
}

extension Explanation.Verdict {
  /// The candidate has failed repeatedly and is not tried now; see ``FailurePolicy``.
  public static let quarantined = Self("quarantined")
}

extension Explanation.Element {
  /// The failures to make the candidate; `nil` if there are none, or if its policy is to throw.
  public var failure: Explanation.Failure? {
    details[Explanation.Failure.valueName].flatMap { try? Explanation.Failure($0) }
  }
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
  /// The number of failures, the last error and its time, and the remaining quarantine.
  public var description: String {
    let times = "failed \(count == 1 ? "once" : "\(count) times in a row"), at \(timestamp(time)): \(error)"
    guard let quarantine else { return times }
    return times + (quarantine > 0 ? ", not tried for \(decimal(quarantine)) s" : ", on trial")
  }
}
