import Plug

/// A candidate has been chosen for a context, and its instance is returned.
///
/// ``Plug/Injector/onSelection(of:_:)`` reports exposures: what the analysis of an experiment needs.
///
/// A flag of PlugFlags that code reads is one too. Its service is `Flags`, the point is the key of the flag, and the
/// candidate is the variant. The reason is ``Reason/rule`` if the targeting chose that, and else ``Reason/fallback``.
public struct Exposure: Sendable, Hashable {
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
  public struct Failure: Sendable, Hashable {
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

  /// Whether a share of all identifiers gets it: by a weight, or by a rule with a rollout or a slot.
  public internal(set) var isShare = false
}

extension Exposure {
  init(_ choice: Choice, for identifier: String?, in injector: Injector) {
    let (key, reason) = (choice.service.key, Reason(choice))
    let failures = choice.failures.map { place, error in
      Failure(candidate: choice.candidates.entries[place].id, error: error?.headline)
    }
    self.init(
      service: serviceName(key.type, tag: nil), tag: key.tag?.rawValue,
      point: choice.candidates.points(around: choice.place).last ?? serviceName(key.type, tag: nil),
      candidate: choice.candidate.id, reason: reason, identifier: identifier, injector: injector.path,
      failures: failures, isShare: reason != .forced && choice.candidates.isShare(choice.place))
  }
}

extension Exposure {
  init(_ decided: Decided, for identifier: String?, in injector: Injector) {
    self.init(
      service: serviceName(decided.kind, tag: nil), tag: nil, point: decided.name, candidate: decided.outcome,
      reason: decided.isDefault ? .fallback : .rule, identifier: identifier, injector: injector.path)
  }
}

extension Exposure.Reason {
  fileprivate init(_ choice: Choice) {
    let (entries, place, verdicts) = (choice.candidates.entries, choice.place, choice.verdicts)
    let chosen = entries[place]
    /// Whether another candidate might have been chosen.
    func isRival(_ other: Int) -> Bool {
      other < place || chosen.isDrawn && entries[other].isDrawn && entries[other].priority == chosen.priority
    }
    if verdicts[place] == .forced {
      self = .forced
    } else if choice.failures.contains(where: { isRival($0.place) || verdicts[$0.place] == .forced }) {
      self = .othersFailed
    } else if verdicts.contains(where: { isRival($0.key) && $0.value != .forced }) {
      self = .othersDisabled
    } else {
      self = chosen.isFallback ? .fallback : chosen.isDrawn ? .weight : .rule
    }
  }
}

extension Exposure: Codable, JSONCodable {
  init(_ json: JSON) throws {
    self.init(
      service: try json.member("service", \.text), tag: try json.optional("tag", \.text),
      point: try json.member("point", \.text), candidate: try json.member("candidate", \.text),
      reason: try json.member("reason") { $0.text.flatMap(Reason.init) },
      identifier: try json.optional("identifier", \.text), injector: try json.optional("injector", \.text),
      failures: try json.member("failures") { try $0.list { try Failure($0) } },
      isShare: try json.optional("isShare", \.flag) ?? false)
  }

  var json: JSON {
    JSON(members: [
      "service": .string(service), "tag": tag.map(JSON.string), "point": .string(point),
      "candidate": .string(candidate), "reason": .string(reason.rawValue), "identifier": identifier.map(JSON.string),
      "injector": injector.map(JSON.string), "failures": .array(failures.map(\.json)),
      "isShare": isShare ? .boolean(true) : nil,
    ])
  }
}

extension Exposure.Failure: Codable, JSONCodable {
  init(_ json: JSON) throws {
    self.init(candidate: try json.member("candidate", \.text), error: try json.optional("error", \.text))
  }

  var json: JSON { JSON(members: ["candidate": .string(candidate), "error": error.map(JSON.string)]) }
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

  /// The first exposure of each identifier to each candidate of a service.
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
