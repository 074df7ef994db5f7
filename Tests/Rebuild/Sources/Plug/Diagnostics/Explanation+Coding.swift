extension Explanation: Codable {
  private enum CodingKeys: CodingKey {
    case subject, context, selected, available, elements, decorators
  }

  /// Reads an explanation.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      subject: try values.decode(String.self, forKey: .subject),
      context: try values.decode(String.self, forKey: .context),
      elements: try values.decode([Element].self, forKey: .elements),
      decorators: try values.decode([String].self, forKey: .decorators))
  }

  /// Writes the explanation, as Docs/Schemas/explanation.json describes it.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(subject, forKey: .subject)
    try values.encode(context, forKey: .context)
    // For those who do not want to look for them among the elements.
    try values.encodeIfPresent(selected, forKey: .selected)
    try values.encode(available, forKey: .available)
    try values.encode(elements, forKey: .elements)
    try values.encode(decorators, forKey: .decorators)
  }
}

extension Explanation.Element: Codable {
  fileprivate enum CodingKeys: String, CodingKey, CaseIterable {
    case id, isPoint, verdict, rank, priority, rule, draw, order, notes, module, position, lot, elements
  }

  /// Reads an element.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decode(String.self, forKey: .id), isPoint: try values.decode(Bool.self, forKey: .isPoint),
      verdict: try values.decode(Explanation.Verdict.self, forKey: .verdict),
      rank: try values.decodeIfPresent(Int.self, forKey: .rank),
      priority: try values.decode(Int.self, forKey: .priority),
      rule: try values.decodeIfPresent(RuleTrace.self, forKey: .rule),
      details: try Explanation.Details(from: decoder),
      elements: try values.decode([Self].self, forKey: .elements))
  }

  /// Writes the element, without what is `nil`.
  public func encode(to encoder: any Encoder) throws {
    try encodeOwn(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(elements, forKey: .elements)
  }

  // Needs no room on the stack while inner elements are written.
  private func encodeOwn(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(isPoint, forKey: .isPoint)
    try values.encode(verdict, forKey: .verdict)
    try values.encodeIfPresent(rank, forKey: .rank)
    try values.encode(priority, forKey: .priority)
    try values.encodeIfPresent(rule, forKey: .rule)
    try details?.value.encode(to: &values)
    try details?.value.encodeValues(to: encoder)
  }
}

/// The name of a value that a layer adds.
private struct ValueKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

// Apart from the coding of elements, which are nested deep, so that this needs no room on the stack meanwhile.
extension Explanation.Details {
  fileprivate init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Explanation.Element.CodingKeys.self)
    draw = try values.decodeIfPresent(Explanation.Draw.self, forKey: .draw)
    order = try values.decodeIfPresent(Explanation.Order.self, forKey: .order)
    notes = try values.decodeIfPresent([String].self, forKey: .notes) ?? []
    module = try values.decodeIfPresent(String.self, forKey: .module)
    position = try values.decodeIfPresent(Int.self, forKey: .position)
    lot = try values.decodeIfPresent(Double.self, forKey: .lot)
    let container = try decoder.container(keyedBy: ValueKey.self)
    let known = Set(Explanation.Element.CodingKeys.allCases.map(\.rawValue))
    for key in container.allKeys where !known.contains(key.stringValue) {
      self.values[key.stringValue] = try container.decode(RuleTrace.Value.self, forKey: key)
    }
  }

  fileprivate func encodeValues(to encoder: any Encoder) throws {
    if values.isEmpty { return }
    var container = encoder.container(keyedBy: ValueKey.self)
    for (name, value) in values { try container.encode(value, forKey: ValueKey(stringValue: name)) }
  }

  fileprivate func encode(to values: inout KeyedEncodingContainer<Explanation.Element.CodingKeys>) throws {
    try values.encodeIfPresent(draw, forKey: .draw)
    try values.encodeIfPresent(order, forKey: .order)
    if !notes.isEmpty { try values.encode(notes, forKey: .notes) }
    try values.encodeIfPresent(module, forKey: .module)
    try values.encodeIfPresent(position, forKey: .position)
    try values.encodeIfPresent(lot, forKey: .lot)
  }
}

/// A value that is kept apart from what it belongs to.
final class Boxed<Value: Sendable & Hashable>: Sendable, Hashable {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func == (first: Boxed, second: Boxed) -> Bool { first.value == second.value }
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
