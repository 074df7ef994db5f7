/// Compiles the JSON of a targeting to expressions, and lists its problems.
struct TargetingCompiler {
  private(set) var problems: [FlagProblem] = []

  /// The named pieces of targeting, of which some cannot be read; `nil` where none may be referred to.
  private let evaluators: [String: (any Expression)?]?

  private let hints: SpellingHints
  private let version: FractionalVersion

  init(evaluators: [String: (any Expression)?]?, hints: SpellingHints, version: FractionalVersion) {
    (self.evaluators, self.hints, self.version) = (evaluators, hints, version)
  }

  /// Whether what has been compiled can be evaluated.
  var isValid: Bool { !problems.contains { $0.severity == .error } }

  mutating func compile(_ json: JSON, at path: JSONPath) -> any Expression {
    switch json {
    case .array(let elements): return compileArray(elements, at: path)
    case .object(let members) where members.count == 1:
      let (key, value) = (members[0].key, members[0].value)
      let inner = path.appending(key)
      return key == "$ref" ? compileReference(value, at: inner) : compileOperation(key, value, at: inner)
    // As in JavaScript and Go, an object is an operation only if it has exactly one member.
    default: return ConstantExpression(FlagValue(json))
    }
  }

  private mutating func compileAll(_ elements: [JSON], at path: JSONPath) -> [any Expression] {
    elements.enumerated().map { index, element in compile(element, at: path.appending(index: index)) }
  }

  private mutating func compileArray(_ elements: [JSON], at path: JSONPath) -> any Expression {
    let expressions = compileAll(elements, at: path)
    let constants = expressions.compactMap { ($0 as? ConstantExpression)?.constant }
    return constants.count == elements.count ? ConstantExpression(.array(constants)) : ArrayExpression(expressions)
  }

  private mutating func compileReference(_ json: JSON, at path: JSONPath) -> any Expression {
    let none = ConstantExpression(.null)
    guard case .string(let name) = json else {
      problems.append(FlagProblem(path, "a reference is \(json.kind), not the name of an evaluator"))
      return none
    }
    guard let evaluators else {
      problems.append(FlagProblem(path, "an evaluator cannot refer to an evaluator"))
      return none
    }
    switch evaluators[name] {
    case nil:
      let hint = hints.hint(for: name, among: evaluators.keys)
      problems.append(FlagProblem(path, "there is no evaluator \(JSONWriter.quoted(name))\(hint)"))
      return none
    case .some(nil):
      problems.append(FlagProblem(path, "the evaluator \(JSONWriter.quoted(name)) is wrong itself"))
      return none
    case .some(let expression?): return expression
    }
  }

  private mutating func compileOperation(_ name: String, _ json: JSON, at path: JSONPath) -> any Expression {
    guard let make = Operators.all[name] else {
      let hint = hints.hint(for: name, among: Operators.all.keys)
      problems.append(FlagProblem(path, "operator \(JSONWriter.quoted(name)) is unknown\(hint)"))
      return ConstantExpression(.null)
    }
    let operands: [any Expression]
    if case .array(let elements) = json {
      operands = compileAll(elements, at: path)
    } else {
      // An operand that is alone needs no array around it, unlike an evaluator that stands for all operands.
      let operand = compile(json, at: path)
      operands = json.reference.flatMap { _ in operand.arrayElements } ?? [operand]
    }
    for problem in OperandCheck.problems(of: name, operands, for: version) {
      problems.append(FlagProblem(path, problem, .warning))
    }
    return make(name, Operands(list: operands))
  }
}
