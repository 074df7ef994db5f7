import Foundation
import OpenFeature
import PlugFlags

extension FlagValue {
  /// Converts a value. Dates become strings in the format of ISO 8601.
  init(_ value: OpenFeature.Value) {
    switch value {
    case .boolean(let value): self = .bool(value)
    case .string(let value): self = .string(value)
    case .integer(let value): self = .number(Double(value))
    case .double(let value): self = .number(value)
    case .date(let value): self = .string(value.ISO8601Format())
    case .list(let elements): self = .array(elements.map { FlagValue($0) })
    case .structure(let members): self = .object(members.mapValues { FlagValue($0) })
    case .null: self = .null
    }
  }
}

extension FlagAttributes {
  /// Converts a context. An empty targeting key counts as none.
  init(_ context: (any EvaluationContext)?) {
    self.init((context?.asMap() ?? [:]).mapValues { FlagValue($0) })
    if let key = context?.getTargetingKey(), !key.isEmpty { self["targetingKey"] = .string(key) }
  }
}

extension Value {
  /// Converts a value. Whole numbers become integers.
  init(_ value: FlagValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .boolean(value)
    case .number(let number): self = Int64(exactly: number).map(Value.integer) ?? .double(number)
    case .string(let value): self = .string(value)
    case .array(let elements): self = .list(elements.map { Value($0) })
    case .object(let members): self = .structure(members.mapValues { Value($0) })
    }
  }
}

extension MetadataValue {
  /// - Returns: `nil` if the value is not a Boolean, string or number.
  init?(_ value: FlagValue) {
    switch value {
    case .bool(let value): self = .boolean(value)
    case .number(let number): self = Int64(exactly: number).map(MetadataValue.integer) ?? .double(number)
    case .string(let value): self = .string(value)
    case .null, .array, .object: return nil
    }
  }
}
