import Foundation
import PlugFlags

/// The error in the answer of an OFREP server.
struct EvaluationError: Decodable {
  let errorCode: String?
  let errorDetails: String?
}

/// The answer to a bulk evaluation (OpenFeature Remote Evaluation Protocol, 0.3.0).
struct BulkEvaluation {
  private let members: [String: FlagValue]
  private let evaluations: [FlagValue]

  /// Reads an answer.
  ///
  /// - Returns: `nil` if it is not JSON, or has no list of flags.
  init?(_ body: Data) {
    guard case .object(let members)? = try? JSONDecoder().decode(FlagValue.self, from: body),
      case .array(let evaluations)? = members["flags"]
    else { return nil }
    (self.members, self.evaluations) = (members, evaluations)
  }

  /// A document whose flags have the results of the evaluations in every context.
  var document: FlagDocument {
    get throws {
      var flags: [String: FlagValue] = [:]
      for case .object(let evaluation) in evaluations {
        guard case .string(let key)? = evaluation["key"] else { continue }
        flags[key] = Self.flag(evaluation)
      }
      let metadata = members["metadata"] ?? [:]
      return try FlagDocument(FlagValue.object(["flags": .object(flags), "metadata": metadata]).description)
    }
  }

  /// - Returns: `nil` if the server does not know the flag.
  private static func flag(_ evaluation: [String: FlagValue]) -> FlagValue? {
    let metadata = evaluation["metadata"] ?? [:]
    func flag(_ variants: [String: FlagValue], state: FlagValue = "ENABLED", targeting: FlagValue) -> FlagValue {
      ["state": state, "variants": .object(variants), "targeting": targeting, "metadata": metadata]
    }
    if let code = evaluation["errorCode"].flatMap(String.read) {
      if code == FlagErrorCode.flagNotFound.rawValue { return nil }
      let details = evaluation["errorDetails"].flatMap(String.read)
      // Not the name of a variant, so that the evaluation is an error that quotes it.
      return flag([:], targeting: .string([code, details].compactMap(\.self).joined(separator: ": ")))
    }
    let reason = evaluation["reason"] ?? "UNKNOWN"
    guard let value = evaluation["value"], value != .null else {
      return flag([:], state: reason == "DISABLED" ? "DISABLED" : "ENABLED", targeting: .null)
    }
    let variant = evaluation["variant"].flatMap(String.read) ?? String.read(value) ?? value.description
    return flag([variant: value], targeting: ["variant": .string(variant), "reason": reason])
  }

  /// The URLs of the event streams of a known type.
  ///
  /// - Parameter url: The URL of the request, whose origin is used for streams without one.
  func streams(at url: String) -> [String] {
    guard case .array(let streams)? = members["eventStreams"] else { return [] }
    return streams.compactMap { stream in
      guard case .object(let stream) = stream, stream["type"] == "sse" else { return nil }
      if let url = stream["url"].flatMap(String.read) { return url }
      guard case .object(let endpoint)? = stream["endpoint"],
        let target = endpoint["requestUri"].flatMap(String.read)
      else { return nil }
      return (endpoint["origin"].flatMap(String.read) ?? Self.origin(of: url)) + target
    }
  }

  private static func origin(of url: String) -> String {
    guard var components = URLComponents(string: url) else { return "" }
    (components.path, components.query) = ("", nil)
    return components.string ?? ""
  }
}
