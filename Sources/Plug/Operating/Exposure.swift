/// A candidate has been chosen for somebody, and given to them.
///
/// ``Injector/onSelection(of:_:)`` reports exposures: what the analysis of an experiment needs.
public struct Exposure: Sendable, Hashable, Codable {
  /// Why the candidate was chosen.
  public enum Reason: String, Sendable, Hashable, Codable {
    /// It is the first whose rule is satisfied, or that has none.
    case rule

    /// No candidate applies, and it is the registration without a rule.
    case fallback

    /// It was drawn by its weight.
    case weight

    /// It was forced, see ``Switches``.
    case forced

    /// A candidate that comes before it, or that might have been drawn, has been disabled. Whether that one would have
    /// applied is not known, because the rule of a disabled candidate is not evaluated.
    case othersDisabled = "others disabled"

    /// A candidate that comes before it, or that might have been drawn, could not be made, see ``FailurePolicy``.
    case othersFailed = "others failed"
  }

  /// A candidate that the choice has passed over, because it could not be made.
  public struct Failure: Sendable, Hashable, Codable {
    /// The id of the candidate.
    public let candidate: String

    /// What went wrong, in one line; `nil` if it was not tried, because it is in quarantine.
    public let error: String?
  }

  /// The service.
  public let service: String

  /// The tag the service is registered with, if it has one.
  public let tag: String?

  /// The id of the innermost point that contains the candidate; the name of the service, if it was registered singly.
  public let point: String

  /// The id of the candidate.
  public let candidate: String

  /// Why it was chosen.
  public let reason: Reason

  /// What identifies the context, if a key path says that.
  public let identifier: String?

  /// The name of the injector that was asked, as `services/request` for a scope; `nil` if it has none.
  public let injector: String?

  /// The candidates that could not be made, in the order in which they were chosen.
  public internal(set) var failures: [Failure] = []
}

extension Exposure: CustomStringConvertible {
  /// One line, such as `semantic at search for "p-17": others disabled`.
  public var description: String {
    let failures = failures.isEmpty ? "" : " (\(failures.map(\.description).joined(separator: "; ")))"
    return "\(candidate) at \(point)\(identifier.map { " for \(quoted($0))" } ?? ""): \(reason.rawValue)\(failures)"
  }
}

extension Exposure.Failure: CustomStringConvertible {
  /// The id and what went wrong, or that it is in quarantine.
  public var description: String { "\(candidate): \(error ?? "in quarantine")" }
}

/// Which exposures are reported, and what identifies the contexts they are for.
public struct ExposureFilter<Context: Sendable>: Sendable {
  let identifier: any KeyPath<Context, String> & Sendable
  /// How many are remembered, so that they are not reported again; `nil` if all are reported.
  let limit: Int?

  /// All exposures in contexts of this type.
  ///
  /// - Parameter identifier: What identifies a context, such as the id of an account.
  public static func each(by identifier: any KeyPath<Context, String> & Sendable) -> Self {
    Self(identifier: identifier, limit: nil)
  }

  /// The first exposure of each identifier to each candidate.
  ///
  /// It remembers at least the last `limit` pairs of an identifier and a candidate, and at most twice as many: about
  /// 100 bytes each, and the bytes of the identifier. What it has forgotten is reported again.
  ///
  /// - Parameters:
  ///   - identifier: What identifies a context, such as the id of an account.
  ///   - limit: How many pairs it remembers; at least 1.
  public static func once(
    per identifier: any KeyPath<Context, String> & Sendable, remembering limit: Int = 100_000
  ) -> Self {
    Self(identifier: identifier, limit: max(limit, 1))
  }
}
