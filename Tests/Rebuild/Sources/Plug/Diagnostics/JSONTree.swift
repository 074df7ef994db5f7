/// A value that is compared and hashed by the JSON that stands for it.
package protocol JSONEquatable: Hashable {
  var json: RuleTrace.Value { get }
}

extension JSONEquatable {
  /// Whether all that both values say is equal.
  public static func == (first: Self, second: Self) -> Bool { first.json == second.json }

  /// Feeds what the value says into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

/// A value that is stored as the JSON that stands for it.
package protocol JSONTree: JSONEquatable, Codable {
  init(_ json: JSONReader)
}

extension JSONTree {
  /// Reads the value.
  public init(from decoder: any Decoder) throws {
    let reader = JSONReader(try RuleTrace.Value(from: decoder))
    self.init(reader)
    guard let fault = reader.faults.first else { return }
    throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: fault))
  }

  /// Writes the value, without what is `nil`.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
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
  package init(texts: [String]) { self = .array(texts.map { .string($0) }) }
}

/// A part of a tree that is being read. What is missing, or of another kind, is noted as a fault of the whole.
package struct JSONReader {
  private final class Faults {
    var list: [String] = []
  }

  private let name: String
  private let value: RuleTrace.Value?
  private let noted: Faults

  fileprivate init(_ value: RuleTrace.Value) { (name, self.value, noted) = ("the value", value, Faults()) }

  private init(_ name: String, _ value: RuleTrace.Value?, of tree: JSONReader) {
    (self.name, self.value, noted) = (name, value, tree.noted)
  }

  fileprivate var faults: [String] { noted.list }

  /// A member of an object.
  package subscript(name: String) -> JSONReader {
    guard case .object(let members)? = value else { return JSONReader(name, nil, of: self) }
    return JSONReader(name, members[name], of: self)
  }

  /// The part itself; `nil` if it is missing or `null`.
  package var ifPresent: JSONReader? { value == nil || value == .null ? nil : self }

  package var any: RuleTrace.Value? { value }
  package var text: String { if case .string(let text)? = value { text } else { wrong("") } }
  package var number: Double { if case .number(let number)? = value { number } else { wrong(0) } }
  package var boolean: Bool { if case .boolean(let boolean)? = value { boolean } else { wrong(false) } }
  package var texts: [String] { elements.map(\.text) }

  package var integer: Int {
    switch value {
    case .number(let number)?: Int(exactly: number) ?? wrong(0)
    // One that a number does not hold exactly.
    case .string(let text)?: Int(text) ?? wrong(0)
    default: wrong(0)
    }
  }

  package var elements: [JSONReader] {
    if case .array(let elements)? = value { elements.map { JSONReader(name, $0, of: self) } } else { wrong([]) }
  }

  /// What the text stands for, or a fault.
  package func one<Choice: RawRepresentable<String>>(or other: Choice) -> Choice {
    Choice(rawValue: text) ?? wrong(other)
  }

  private func wrong<Other>(_ other: Other) -> Other {
    noted.list.append("\(name) is missing or of another kind")
    return other
  }
}
