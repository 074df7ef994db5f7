public import Plug

// `Docs/Schemas/explanation.json` describes this form. A tree may be deep and the stack small, so what calls itself
// does little else.

extension Explanation: Codable, JSONCodable {
  init(_ json: JSON) throws {
    self.init(
      subject: try json.member("subject", \.text), context: try json.member("context", \.text),
      elements: try json.member("elements") { try $0.list { try Element($0) } },
      decorators: try json.member("decorators", \.texts))
  }

  var json: JSON {
    JSON(members: [
      "subject": .string(subject), "context": .string(context), "elements": .array(elements.map(\.json)),
      "decorators": JSON(texts: decorators),
      // Readers find these here without searching the elements.
      "selected": selected.map(JSON.string), "available": JSON(texts: available),
    ])
  }
}

extension Explanation.Element: Codable, JSONCodable {
  init(_ json: JSON) throws {
    var elements: [Self] = []
    for element in try json.member("elements", \.elements) { elements.append(try Self(element)) }
    try self.init(json, elements)
  }

  private init(_ json: JSON, _ elements: [Self]) throws {
    guard case .object(var details) = json else { throw Malformed("an object was expected") }
    for name in ["id", "isPoint", "verdict", "rank", "priority", "rule", "notes", "module", "elements"] {
      details[name] = nil
    }
    self.init(
      id: try json.member("id", \.text), isPoint: try json.member("isPoint", \.flag),
      verdict: Explanation.Verdict(try json.member("verdict", \.text)), rank: try json.optional("rank", \.int),
      priority: try json.member("priority", \.int), rule: try json.optional("rule") { try RuleTrace($0) },
      notes: try json.optional("notes", \.texts) ?? [], module: try json.optional("module", \.text),
      details: details, elements: elements)
  }

  var json: JSON {
    var list: [JSON] = []
    for element in elements { list.append(element.json) }
    return json(list)
  }

  private func json(_ elements: [JSON]) -> JSON {
    var members = details
    members["id"] = .string(id)
    members["isPoint"] = .boolean(isPoint)
    members["verdict"] = .string(verdict.description)
    members["rank"] = rank.map(JSON.of)
    members["priority"] = .of(priority)
    members["rule"] = rule?.json
    if !notes.isEmpty { members["notes"] = JSON(texts: notes) }
    members["module"] = module.map(JSON.string)
    members["elements"] = .array(elements)
    return .object(members)
  }
}

extension RuleTrace.Outcome: Codable {}

extension RuleTrace: Codable, JSONCodable {
  init(_ json: JSON) throws {
    var parts: [Self] = []
    for part in try json.member("parts", \.elements) { parts.append(try Self(part)) }
    try self.init(json, parts)
  }

  private init(_ json: JSON, _ parts: [Self]) throws {
    self.init(
      try json.member("kind") { $0.text.flatMap(Kind.init) }, name: try json.member("name", \.text),
      variant: try json.optional("variant", \.int),
      outcome: try json.member("outcome") { $0.text.flatMap(Outcome.init) },
      operand: try json.optional("text", \.text).map { Operand(text: $0, value: json["operand"]) },
      reason: try json.optional("reason", \.text), parts: parts)
  }

  var json: JSON {
    var list: [JSON] = []
    for part in parts { list.append(part.json) }
    return json(list)
  }

  private func json(_ parts: [JSON]) -> JSON {
    JSON(members: [
      "kind": .string(kind.rawValue), "name": .string(name), "variant": variant.map(JSON.of),
      "outcome": .string(outcome.rawValue), "text": operand.map(JSON.string), "operand": value,
      "reason": reason.map(JSON.string), "parts": .array(parts),
    ])
  }
}
