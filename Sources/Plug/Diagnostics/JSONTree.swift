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
    let json = try JSONReader(from: decoder)
    self.init(json)
    try json.end(decoder)
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
  @inline(never)
  package init(texts: [String]) { self = .array(texts.map { .string($0) }) }

  /// The number next to an integer.
  package init(number: Int) { self = .number(Double(number)) }
}

/// A part of a tree that is being read. What is missing, or of another kind, is noted as a fault of the whole.
package final class JSONReader {
  private let name: String
  private let value: RuleTrace.Value?
  private let whole: JSONReader?
  private var fault: String?

  private init(_ name: String, _ value: RuleTrace.Value?, of whole: JSONReader?) {
    (self.name, self.value, self.whole) = (name, value, whole)
  }

  fileprivate convenience init(from decoder: any Decoder) throws {
    self.init("The value", try RuleTrace.Value(from: decoder), of: nil)
  }

  fileprivate func end(_ decoder: any Decoder) throws {
    guard let fault else { return }
    throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: fault))
  }

  /// A member of an object.
  @inline(never)
  package subscript(name: String) -> JSONReader {
    guard case .object(let members)? = value else { return JSONReader(name, nil, of: whole ?? self) }
    return JSONReader(name, members[name], of: whole ?? self)
  }

  /// The part itself; `nil` if it is missing or `null`.
  package var ifPresent: JSONReader? { value == nil || value == .null ? nil : self }

  package var any: RuleTrace.Value? { value }
  @inline(never) package var text: String { if case .string(let text)? = value { text } else { wrong("") } }
  @inline(never) package var number: Double { if case .number(let number)? = value { number } else { wrong(0) } }
  @inline(never) package var boolean: Bool { if case .boolean(let boolean)? = value { boolean } else { wrong(false) } }
  @inline(never) package var texts: [String] { elements.map(\.text) }

  /// The integer, as near as a number holds it.
  @inline(never) package var integer: Int {
    let number = number
    return number >= 0x1p63 ? .max : Int(exactly: number) ?? wrong(0)
  }

  @inline(never) package var elements: [JSONReader] {
    guard case .array(let elements)? = value else { return wrong([]) }
    return elements.map { JSONReader(name, $0, of: whole ?? self) }
  }

  /// What the text stands for, or a fault.
  package func one<Choice: RawRepresentable<String>>(or other: Choice) -> Choice {
    Choice(rawValue: text) ?? wrong(other)
  }

  private func wrong<Other>(_ other: Other) -> Other {
    (whole ?? self).fault = "\(name) is missing or of another kind."
    return other
  }
}
