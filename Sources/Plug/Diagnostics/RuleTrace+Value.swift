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
      switch value as Any {
      case let optional as any OptionalValue: self = optional.wrapped.map { Self($0) } ?? .null
      case let boolean as Bool: self = .boolean(boolean)
      case let text as String: self = .string(text)
      case let integer as any BinaryInteger:
        let number = Double(integer)
        self = abs(number) < 0x1p53 ? .number(number) : .string("\(integer)")
      case let number as any BinaryFloatingPoint:
        self = Double(number).isFinite ? .number(Double(number)) : .string("\(number)")
      case let elements as [Any]: self = .array(elements.map { Self($0) })
      case let elements as Set<AnyHashable>:
        let elements = elements.map(\.base)
        self = .array(alphabeticalOrder(of: elements.map { quoted($0) }).map { Self(elements[$0]) })
      case let members as [AnyHashable: Any]:
        var object: [String: Self] = [:]
        for (name, member) in members { object["\(name)"] = Self(member) }
        self = .object(object)
      default: self = .string("\(value)")
      }
    }
  }
}

extension RuleTrace.Value {
  /// Whether both are the same value of JSON.
  @inline(never)
  public static func == (first: Self, second: Self) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.boolean(let first), .boolean(let second)): first == second
    case (.number(let first), .number(let second)): first == second
    case (.string(let first), .string(let second)): first == second
    case (.array(let first), .array(let second)): first == second
    case (.object(let first), .object(let second)):
      first.count == second.count && first.allSatisfy { second[$0.key] == $0.value }
    default: false
    }
  }
}

extension RuleTrace.Value: Codable {
  /// Any name of a member.
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads any JSON value.
  public init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let value = try? single.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? single.decode(Double.self) {
      self = .number(value)
    } else if let value = try? single.decode(String.self) {
      self = .string(value)
    } else if var container = try? decoder.unkeyedContainer() {
      var values: [Self] = []
      while !container.isAtEnd { values.append(try Self(from: container.superDecoder())) }
      self = .array(values)
    } else {
      let container = try decoder.container(keyedBy: Name.self)
      var values: [String: Self] = [:]
      for name in container.allKeys {
        values[name.stringValue] = try Self(from: container.superDecoder(forKey: name))
      }
      self = .object(values)
    }
  }

  /// Writes the JSON value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .object(let values):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in values { try container.encode(value, forKey: Name(stringValue: name)) }
    default: try encodeScalar(to: encoder)
    }
  }

  private func encodeScalar(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .boolean(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    default: try container.encodeNil()
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
