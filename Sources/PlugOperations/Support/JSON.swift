import Plug

/// The form in which reports are written and read.
typealias JSON = RuleTrace.Value

extension RuleTrace.Value {
  /// A number; as a string if it is not finite, because JSON has no such numbers.
  static func of(_ number: Double) -> JSON { number.isFinite ? .number(number) : .string("\(number)") }

  func member<Value>(_ name: String, _ read: (JSON) throws -> Value?) throws -> Value {
    guard let value = try optional(name, read) else { throw Malformed("\"\(name)\" is missing") }
    return value
  }

  func optional<Value>(_ name: String, _ read: (JSON) throws -> Value?) throws -> Value? {
    guard case .object(let members) = self else { throw Malformed("an object was expected") }
    guard let member = members[name], member != .null else { return nil }
    guard let value = try read(member) else { throw Malformed("\"\(name)\" is of another type") }
    return value
  }

  /// The number for an integer.
  static func of(_ number: Int) -> JSON { .number(Double(number)) }

  /// An array of strings.
  init(texts: [String]) { self = .array(texts.map { .string($0) }) }

  /// A member of an object; `nil` if there is none of this name.
  subscript(name: String) -> JSON? { if case .object(let members) = self { members[name] } else { nil } }

  var text: String? { if case .string(let text) = self { text } else { nil } }
  var double: Double? { if case .number(let number) = self { number } else { nil } }
  var flag: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The integer, as exactly as a number represents it.
  var int: Int? { double.flatMap { $0 >= 0x1p63 ? .max : Int(exactly: $0) } }
  var texts: [String]? { list { $0.text } }

  var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

  /// The elements of an array; `nil` if the value is not an array, or an element is of another type.
  func list<Element>(_ read: (JSON) throws -> Element?) rethrows -> [Element]? {
    guard case .array(let values) = self else { return nil }
    let elements = try values.compactMap(read)
    return elements.count == values.count ? elements : nil
  }
}

/// The error for a value that does not have the expected form.
struct Malformed: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A value that is encoded and decoded as its JSON.
protocol JSONCodable: Codable {
  init(_ json: JSON) throws
  var json: JSON { get }
}

extension JSONCodable {
  /// Reads the value.
  public init(from decoder: any Decoder) throws { self = try decoder.read { try Self($0) } }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Decoder {
  /// Reads a value from JSON.
  func read<Value>(_ make: (JSON) throws -> Value) throws -> Value {
    let json = try JSON(from: self)
    do {
      return try make(json)
    } catch let error as Malformed {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: error.description))
    }
  }
}
