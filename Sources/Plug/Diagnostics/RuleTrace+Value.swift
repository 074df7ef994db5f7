extension RuleTrace {
  /// A value that a condition looked at, as a JSON value.
  package enum Value: Sendable, Hashable {
    /// `nil`.
    case null
    /// A Boolean.
    case boolean(Bool)
    /// A number of any type. An integer beyond ±2⁵³, which a `Double` cannot represent exactly, is a string.
    case number(Double)
    /// A string, or the description of a value that has no other form in JSON.
    case string(String)
    /// The elements of an array, or the elements of a set sorted by their descriptions.
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
  /// Returns whether both values are the same JSON value.
  @inline(never)
  package static func == (first: Self, second: Self) -> Bool {
    switch (first, second) {
    case (.array(let first), .array(let second)): first == second
    case (.object(let first), .object(let second)):
      first.count == second.count && first.allSatisfy { second[$0.key] == $0.value }
    case (.array, _), (.object, _), (_, .array), (_, .object): false
    default: first.text == second.text && first.double == second.double && first.flag == second.flag
    }
  }
}

extension RuleTrace.Value: Codable {
  /// A member with any name.
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads any JSON value.
  package init(from decoder: any Decoder) throws {
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
      var members: [String: Self] = [:]
      for name in container.allKeys {
        members[name.stringValue] = try Self(from: container.superDecoder(forKey: name))
      }
      self = .object(members)
    }
  }

  /// Writes the JSON value.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    default: try encodeScalar(to: encoder)
    }
  }

  // A function of its own, because a tree may be deep and the stack small.
  private func encodeScalar(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let flag { return try container.encode(flag) }
    if let double { return try container.encode(double) }
    if let text { try container.encode(text) } else { try container.encodeNil() }
  }
}

extension RuleTrace.Value {
  /// An object without the members that are `nil`.
  @inline(never)
  package init(members: KeyValuePairs<String, Self?>) {
    var object: [String: Self] = [:]
    for (name, value) in members { object[name] = value }
    self = .object(object)
  }

  /// An array of strings.
  @inline(never)
  package init(texts: [String]) { self = .array(texts.map { .string($0) }) }

  /// The number for an integer.
  package static func of(_ number: Int) -> Self { .number(Double(number)) }

  /// A member of an object; `null` if there is none of this name.
  @inline(never)
  package subscript(name: String) -> Self {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  var ifPresent: Self? { if case .null = self { nil } else { self } }
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var double: Double? { if case .number(let number) = self { number } else { nil } }
  package var flag: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The integer, as exactly as a number represents it.
  package var int: Int? { double.flatMap { $0 >= 0x1p63 ? .max : Int(exactly: $0) } }
  var elements: [Self] { if case .array(let elements) = self { elements } else { [] } }
  var texts: [String] { elements.compactMap(\.text) }
}

/// A value that is compared and hashed by its JSON.
protocol JSONEquatable: Hashable {
  var json: RuleTrace.Value { get }
}

extension JSONEquatable {
  /// Returns whether all parts of both values are equal.
  public static func == (first: Self, second: Self) -> Bool { first.json == second.json }

  /// Hashes the parts of the value into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

/// A value that is stored as its JSON.
protocol JSONTree: JSONEquatable, Codable, Sendable {
  /// The members that are read, each with its required kind.
  static var shape: KeyValuePairs<String, JSONShape> { get }

  init(json: RuleTrace.Value)
}

extension JSONTree {
  /// Reads the value.
  public init(from decoder: any Decoder) throws {
    let json = try RuleTrace.Value(from: decoder)
    if let name = json.fault(.tree(Self.self), "The value") {
      let problem = "\(name) is missing or of another kind."
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: problem))
    }
    self.init(json: json)
  }

  /// Writes the value, and omits members that are `nil`.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// The required kind of a JSON value.
indirect enum JSONShape: Sendable {
  case text, number, integer, boolean
  /// One of some texts.
  case choice([String])
  case list(JSONShape)
  case tree(any JSONTree.Type)
  case object(KeyValuePairs<String, JSONShape>)
  /// A value of a kind, `null` or nothing.
  case optional(JSONShape)
}

extension RuleTrace.Value {
  /// The name of a member that is missing or has another kind; `nil` if there is none.
  fileprivate func fault(_ shape: JSONShape, _ name: String) -> String? {
    switch (shape, self) {
    case (.optional, .null), (.text, .string), (.number, .number), (.boolean, .boolean): return nil
    case (.optional(let shape), _): return fault(shape, name)
    case (.integer, _) where int != nil: return nil
    case (.choice(let texts), .string(let text)) where texts.contains(text): return nil
    case (.list(let shape), .array(let elements)):
      for element in elements { if let fault = element.fault(shape, name) { return fault } }
      return nil
    case (.tree(let type), _): return fault(.object(type.shape), name)
    case (.object(let members), .object):
      for (name, shape) in members { if let fault = self[name].fault(shape, name) { return fault } }
      return nil
    default: return name
    }
  }
}

/// The value that a condition looked at, for explanations.
@usableFromInline
package struct Operand: Sendable {
  let text: String
  let value: RuleTrace.Value

  /// - Parameters:
  ///   - text: The printed text.
  ///   - value: The value as JSON; by default the text.
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
