extension RuleTrace {
  /// A value that a condition looked at, in the kinds of values that JSON has. PlugOperations writes it.
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
    init(_ value: Any) {
      switch value {
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
      default: self = .string("\(value)")
      }
    }
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
}

/// The text in place of a private value.
package let hidden = "•••"

/// The value that a condition looked at, for explanations.
package struct Operand: Sendable, Hashable {
  let text: String
  let value: RuleTrace.Value

  /// - Parameters:
  ///   - text: The printed text.
  ///   - value: The value itself; by default the text.
  package init(text: String, value: RuleTrace.Value? = nil) {
    self.text = text
    self.value = value ?? .string(text)
  }

  package init(_ value: some Any) {
    let isPrivate = (value as? any PrivateContext)?.isPrivate == true
    self.init(text: isPrivate ? hidden : quoted(value), value: isPrivate ? nil : RuleTrace.Value(value))
  }
}
