// As Docs/Schemas/explanation.json describes it.

extension Explanation: JSONTree {
  package var json: RuleTrace.Value {
    let available = available
    return RuleTrace.Value(members: [
      "subject": .string(subject), "context": .string(context), "elements": .array(elements.map(\.json)),
      "decorators": RuleTrace.Value(texts: decorators),
      // For those who do not want to look for them among the elements.
      "selected": available.first.map { .string($0) }, "available": RuleTrace.Value(texts: available),
    ])
  }

  package init(_ json: JSONReader) {
    self.init(
      subject: json["subject"].text, context: json["context"].text,
      elements: json["elements"].elements.map { Element($0) }, decorators: json["decorators"].texts)
  }
}

extension Explanation.Element: JSONTree {
  package var json: RuleTrace.Value {
    let own = RuleTrace.Value(members: [
      "id": .string(id), "isPoint": .boolean(isPoint), "verdict": .string(verdict.rawValue),
      "rank": rank.map { RuleTrace.Value(number: $0) }, "priority": RuleTrace.Value(number: priority),
      "rule": rule?.json,
      "draw": draw?.json, "order": order?.json, "notes": notes.isEmpty ? nil : RuleTrace.Value(texts: notes),
      "module": module.map { .string($0) }, "position": position.map { RuleTrace.Value(number: $0) },
      "lot": lot.map { .number($0) }, "elements": .array(elements.map(\.json)),
    ])
    guard !values.isEmpty, case .object(let members) = own else { return own }
    return .object(members.merging(values) { own, _ in own })
  }

  package init(_ json: JSONReader) {
    var details = Explanation.Details(
      draw: json["draw"].ifPresent.map { Explanation.Draw($0) },
      order: json["order"].ifPresent.map { Explanation.Order($0) }, notes: json["notes"].ifPresent?.texts ?? [],
      module: json["module"].ifPresent?.text, position: json["position"].ifPresent?.integer,
      lot: json["lot"].ifPresent?.number)
    if case .object(let members)? = json.any {
      for (name, value) in members where !Self.names.contains(name) { details.values[name] = value }
    }
    self.init(
      id: json["id"].text, isPoint: json["isPoint"].boolean, verdict: json["verdict"].one(or: .ruledOut),
      rank: json["rank"].ifPresent?.integer, priority: json["priority"].integer,
      rule: json["rule"].ifPresent.map { RuleTrace($0) }, details: details,
      elements: json["elements"].elements.map { Self($0) })
  }
}

extension Explanation.Element {
  /// The names of what every element may have. Others are values behind notes.
  private static let names: Set = [
    "id", "isPoint", "verdict", "rank", "priority", "rule", "draw", "order", "notes", "module", "position", "lot",
    "elements",
  ]
}

extension Explanation.Order: JSONTree {
  package var json: RuleTrace.Value {
    RuleTrace.Value(members: ["after": RuleTrace.Value(texts: after), "before": RuleTrace.Value(texts: before)])
  }

  package init(_ json: JSONReader) { self.init(after: json["after"].texts, before: json["before"].texts) }
}

extension Explanation.Draw: JSONTree {
  package var json: RuleTrace.Value {
    RuleTrace.Value(members: [
      "weight": .number(weight), "total": .number(total), "identifier": .string(identifier), "number": .number(number),
    ])
  }

  package init(_ json: JSONReader) {
    self.init(
      weight: json["weight"].number, total: json["total"].number, identifier: json["identifier"].text,
      number: json["number"].number)
  }
}
