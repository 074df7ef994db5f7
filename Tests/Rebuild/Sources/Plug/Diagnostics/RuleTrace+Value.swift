extension RuleTrace {
  /// A value that a condition looked at, as JSON has it.
  public enum Value: Sendable, Hashable {
    /// `nil`.
    case null

    /// A Boolean.
    case boolean(Bool)

    /// A number of any type. One beyond ±2⁵³, which a double does not hold exactly, is a string.
    case number(Double)

    /// A string; also the description of a value that JSON has no other form for.
    case string(String)

    /// The elements of an array, or those of a set, sorted by their descriptions.
    case array([Value])

    /// Named values.
    case object([String: Value])

    /// The value of any type.
    package init(_ value: some Any) {
      if let value = value as? any JSONRepresentable {
        self = value.json
      } else if let number = value as? any BinaryInteger {
        self =
          Double(exactly: Int64(clamping: number)).flatMap { abs($0) < Self.limit ? .number($0) : nil }
          ?? .string("\(number)")
      } else if let number = value as? any BinaryFloatingPoint {
        let double = Double(number)
        self = double.isFinite ? .number(double) : .string("\(number)")
      } else {
        self = .string("\(value)")
      }
    }

    private static var limit: Double { 0x1p53 }
  }
}

/// A value that has a form of its own in JSON.
private protocol JSONRepresentable {
  var json: RuleTrace.Value { get }
}

extension Bool: JSONRepresentable {
  fileprivate var json: RuleTrace.Value { .boolean(self) }
}

extension String: JSONRepresentable {
  fileprivate var json: RuleTrace.Value { .string(self) }
}

extension Optional: JSONRepresentable {
  fileprivate var json: RuleTrace.Value { map { RuleTrace.Value($0) } ?? .null }
}

extension Array: JSONRepresentable {
  fileprivate var json: RuleTrace.Value { .array(map { RuleTrace.Value($0) }) }
}

extension Set: JSONRepresentable {
  fileprivate var json: RuleTrace.Value {
    .array(map { (quoted($0), RuleTrace.Value($0)) }.sorted { $0.0 < $1.0 }.map(\.1))
  }
}

extension Dictionary: JSONRepresentable {
  fileprivate var json: RuleTrace.Value {
    .object(Dictionary<String, RuleTrace.Value>(map { ("\($0)", RuleTrace.Value($1)) }) { first, _ in first })
  }
}

extension RuleTrace.Value: Codable {
  /// Reads any JSON value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([Self].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: Self].self))
    }
  }

  /// Writes the JSON value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }
}

/// What a condition looked at, for explanations.
@usableFromInline
package struct Operand: Sendable {
  let text: String
  let value: RuleTrace.Value

  /// - Parameters:
  ///   - text: As it is printed.
  ///   - value: As JSON; the text if there is no other.
  package init(text: String, value: RuleTrace.Value? = nil) {
    self.text = text
    self.value = value ?? .string(text)
  }

  @usableFromInline
  package init(_ value: some Any) {
    text = quoted(value)
    self.value = RuleTrace.Value(value)
  }
}
