import Plug

/// A record that a candidate was chosen for a context, and that its instance is returned.
///
/// ``Plug/Injector/onSelection(of:_:)`` reports exposures, for example for the analysis of an experiment.
///
/// Reading a flag of PlugFlags is an exposure, too. Its service is `Flags`, its point is the key of the flag, and its
/// candidate is the variant. The reason is ``Reason/rule`` if the targeting chose the variant, and otherwise
/// ``Reason/fallback``.
public struct Exposure: Sendable, Hashable {
  /// The reason why a candidate was chosen.
  public enum Reason: String, Sendable, Hashable, Codable {
    /// It is the first candidate whose rule is satisfied, or that has no rule.
    case rule

    /// No candidate applies, so the registration without a rule was chosen.
    case fallback

    /// It was drawn by its weight.
    case weight

    /// It was forced; see ``Switches``.
    case forced

    /// An earlier candidate, or one that might have been drawn, is disabled. Whether that candidate would have applied
    /// is unknown, because its rule is not evaluated.
    case othersDisabled = "others disabled"

    /// An earlier candidate, or one that might have been drawn, could not be made; see ``FailurePolicy``.
    case othersFailed = "others failed"
  }

  /// A candidate that the choice has skipped, because it could not be made.
  public struct Failure: Sendable, Hashable {
    /// The id of the candidate.
    public let candidate: String

    /// The error in one line; `nil` if the candidate was not tried, because it is in quarantine.
    public let error: String?
  }

  /// The service.
  public let service: String

  /// The tag the service is registered with, if it has one.
  public let tag: String?

  /// The id of the innermost point that contains the candidate; the name of the service if the candidate is not in a
  /// point.
  public let point: String

  /// The id of the candidate.
  public let candidate: String

  /// The reason for the choice.
  public let reason: Reason

  /// The identifier of the context; `nil` if no key path was given.
  public let identifier: String?

  /// The name of the injector that received the request, such as `services/request` for a scope; `nil` if it has none.
  public let injector: String?

  /// The candidates that could not be made, in the order in which they were chosen.
  public internal(set) var failures: [Failure] = []

  /// Whether a share of all identifiers gets the candidate: by a weight, or by a rule with a rollout or a slot.
  public internal(set) var isShare = false
}

extension Exposure {
  init(_ choice: Choice, for identifier: String?, in injector: Injector) {
    let (key, reason) = (choice.service.key, Reason(choice))
    let failures = choice.failures.map { position, error in
      Failure(candidate: choice.candidates.entries[position].id, error: error.map { InjectorError($0).headline })
    }
    self.init(
      service: Key(key.type).text, tag: key.tag?.rawValue,
      point: choice.candidates.point(around: choice.position) ?? Key(key.type).text,
      candidate: choice.candidate.id, reason: reason, identifier: identifier, injector: injector.path,
      failures: failures, isShare: reason != .forced && choice.candidate.isShare)
  }
}

extension Exposure.Reason {
  fileprivate init(_ choice: Choice) {
    let (entries, position, verdicts) = (choice.candidates.entries, choice.position, choice.verdicts)
    let chosen = entries[position]
    /// Whether another candidate might have been chosen.
    func isRival(_ other: Int) -> Bool {
      other < position || chosen.isDrawn && entries[other].isDrawn && entries[other].priority == chosen.priority
    }
    if verdicts[position] == .forced {
      self = .forced
    } else if choice.failures.contains(where: { isRival($0.position) || verdicts[$0.position] == .forced }) {
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
  /// The id, and the error or the quarantine.
  public var description: String { "\(candidate): \(error ?? "in quarantine")" }
}

/// A filter of exposures, with the property that identifies their contexts.
public struct ExposureFilter<Context: Sendable>: Sendable {
  let identifier: any KeyPath<Context, String> & Sendable
  /// The number of exposures to remember, so that they are not reported again; `nil` if all are reported.
  let limit: Int?

  /// All exposures in contexts of this type.
  ///
  /// - Parameter identifier: The property that identifies a context, such as the id of an account.
  public static func each(by identifier: any KeyPath<Context, String> & Sendable) -> Self {
    Self(identifier: identifier, limit: nil)
  }

  /// The first exposure of each identifier to each candidate of a service.
  ///
  /// The filter remembers at least the last `limit` pairs of an identifier and a candidate, and at most twice as many.
  /// A pair takes about 100 bytes in addition to the identifier. The filter reports a forgotten pair again.
  ///
  /// - Parameters:
  ///   - identifier: The property that identifies a context, such as the id of an account.
  ///   - limit: The number of pairs to remember; at least 1.
  public static func once(
    per identifier: any KeyPath<Context, String> & Sendable, remembering limit: Int = 100_000
  ) -> Self {
    Self(identifier: identifier, limit: max(limit, 1))
  }
}
