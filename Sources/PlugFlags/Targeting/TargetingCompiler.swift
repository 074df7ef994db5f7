/// A named piece of targeting, as JSON and compiled. The expression is `nil` if it cannot be evaluated.
final class Evaluator: Sendable {
  let json: JSON
  let expression: (any Expression)?

  init(_ json: JSON, _ expression: (any Expression)?) {
    (self.json, self.expression) = (json, expression)
  }
}

/// Compiles the JSON of a targeting into expressions, and lists its problems.
struct TargetingCompiler {
  private(set) var problems: [FlagProblem] = []

  /// The evaluators by name; `nil` where a reference to an evaluator is an error.
  let evaluators: [String: Evaluator]?

  let hints: SpellingHints
  let version: FractionalVersion

  /// Whether the compiled targeting can be evaluated.
  var isValid: Bool { !problems.contains { $0.severity == .error } }

  mutating func compile(_ json: JSON, at path: JSONPath) -> any Expression {
    switch json {
    case .array(let elements): return compileArray(elements, at: path)
    case .object(let members) where members.count == 1:
      let (key, value) = (members[0].key, members[0].value)
      let inner = path.appending(key)
      if key == "variant", case .string = value { return ConstantExpression(FlagValue(json)) }
      return key == "$ref" ? compileReference(value, at: inner) : compileOperation(key, value, at: inner)
    // As in JavaScript and Go, an object is an operation only if it has exactly one member.
    default: return ConstantExpression(FlagValue(json))
    }
  }

  @inline(never)
  private mutating func add(_ path: JSONPath, _ message: String, _ severity: FlagProblem.Severity = .error) {
    problems.append(FlagProblem(path, message, severity))
  }

  private mutating func compileAll(_ elements: [JSON], at path: JSONPath) -> [any Expression] {
    elements.enumerated().map { index, element in compile(element, at: path.appending(index: index)) }
  }

  private mutating func compileArray(_ elements: [JSON], at path: JSONPath) -> any Expression {
    let expressions = compileAll(elements, at: path)
    let constants = expressions.compactMap(\.constant)
    return constants.count == elements.count ? ConstantExpression(.array(constants)) : ArrayExpression(expressions)
  }

  private mutating func compileReference(_ json: JSON, at path: JSONPath) -> any Expression {
    let none = ConstantExpression(.null)
    guard case .string(let name) = json else {
      add(path, json.mismatch("a reference", "the name of an evaluator"))
      return none
    }
    guard let evaluators else {
      add(path, "an evaluator cannot refer to an evaluator")
      return none
    }
    if let expression = evaluators[name]?.expression { return expression }
    var problem = "the evaluator \(JSONWriter.quoted(name)) is wrong itself"
    if evaluators[name] == nil {
      let hint = hints.hint(for: name, among: hints.evaluators)
      problem = "there is no evaluator \(JSONWriter.quoted(name))\(hint)"
    }
    add(path, problem)
    return none
  }

  private mutating func compileOperation(_ name: String, _ json: JSON, at path: JSONPath) -> any Expression {
    guard let operation = Operator(rawValue: name) else {
      let hint = hints.hint(for: name, among: Operator.allCases.map(\.rawValue))
      add(path, "operator \(JSONWriter.quoted(name)) is unknown\(hint)")
      return ConstantExpression(.null)
    }
    let operands: [any Expression]
    if case .array(let elements) = json {
      operands = compileAll(elements, at: path)
    } else {
      // A single operand needs no array around it, but a reference to an array stands for all operands.
      let operand = compile(json, at: path)
      operands = json.reference.flatMap { _ in operand.arrayElements } ?? [operand]
    }
    for problem in OperandCheck.problems(of: operation, operands, for: version) {
      add(path, problem, .warning)
    }
    return operation.expression(operands)
  }
}
