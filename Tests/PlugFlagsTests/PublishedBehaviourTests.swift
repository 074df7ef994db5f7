import Testing

@testable import PlugFlags

/// What the documents of flagd and its published scenarios say of whole flags.
@Suite("A flag document has flagd's published behaviour")
struct PublishedBehaviourTests {
  private static let source = """
    {"flags": {
      "boolean": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on"},
      "string": {"state": "ENABLED", "variants": {"greeting": "hi", "parting": "bye"}, "defaultVariant": "greeting"},
      "integer": {"state": "ENABLED", "variants": {"one": 1, "ten": 10}, "defaultVariant": "ten"},
      "huge": {"state": "ENABLED", "variants": {"huge": 9007199254740991}, "defaultVariant": "huge"},
      "float": {"state": "ENABLED", "variants": {"tenth": 0.1, "half": 0.5}, "defaultVariant": "half"},
      "integral": {"state": "ENABLED", "variants": {"ten": 10.0}, "defaultVariant": "ten"},
      "zero": {"state": "ENABLED", "variants": {"zero": 0}, "defaultVariant": "zero"},
      "false": {"state": "ENABLED", "variants": {"zero": false}, "defaultVariant": "zero"},
      "empty": {"state": "ENABLED", "variants": {"zero": ""}, "defaultVariant": "zero"},
      "object": {"state": "ENABLED", "variants": {"empty": {}, "full": {"a": 1}}, "defaultVariant": "empty"},
      "disabled": {"state": "DISABLED", "variants": {"on": "on"}, "defaultVariant": "on", "metadata": {"team": "own"}},
      "null-default": {"state": "ENABLED", "variants": {"on": "on"}, "defaultVariant": null},
      "no-default": {"state": "ENABLED", "variants": {"on": "on"}},
      "no-default-targeted": {"state": "ENABLED", "variants": {"special": "CEO"},
        "targeting": {"if": [{"==": ["jobs@orange.com", {"var": ["email"]}]}, "special"]}},
      "null-variant": {"state": "ENABLED", "variants": {"one": "1", "two": "2"}, "defaultVariant": "two",
        "targeting": {"if": [true, null, "one"]}},
      "unknown-operator": {"state": "ENABLED", "variants": {"one": "1", "two": "2"}, "defaultVariant": "two",
        "targeting": {"invalid": ["this is not valid"]}},
      "missing-variant": {"state": "ENABLED", "variants": {"one": "1", "two": "2"}, "defaultVariant": "two",
        "targeting": {"if": [true, "three", "one"]}},
      "number-result": {"state": "ENABLED", "variants": {"1": "1"}, "defaultVariant": "1", "targeting": {"+": [1, 0]}},
      "list-result": {"state": "ENABLED", "variants": {"1": "1"}, "defaultVariant": "1", "targeting": ["1"]},
      "shorthand": {"state": "ENABLED", "variants": {"false": "1", "true": "2"}, "defaultVariant": "false",
        "targeting": {"if": [true, true, false]}},
      "empty-targeting": {"state": "ENABLED", "variants": {"one": "1"}, "defaultVariant": "one", "targeting": {}},
      "null-targeting": {"state": "ENABLED", "variants": {"one": "1"}, "defaultVariant": "one", "targeting": null},
      "wrong-default": {"state": "ENABLED", "variants": {"one": "1"}, "defaultVariant": "on"},
      "reference": {"state": "ENABLED", "variants": {"hi": "hi", "bye": "bye"}, "defaultVariant": "bye",
        "targeting": {"if": [{"$ref" : "is_ballmer"}, "hi", "bye"]}},
      "no-reference": {"state": "ENABLED", "variants": {"hi": "hi"}, "defaultVariant": "hi",
        "targeting": {"if": [{"$ref": "is_balmer"}, "hi"]}},
      "version": {"state": "ENABLED", "variants": {"match": "match", "fallback": "fallback"},
        "defaultVariant": "fallback", "targeting": {"sem_ver": [{"var": "version"}, "===", "1.0.0"]}},
      "cards": {"state": "ENABLED", "variants": {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"},
        "targeting": {"fractional": [{"cat": ["fractional-flag", {"var": "user.name"}]},
          ["clubs", 25], ["diamonds", 25], ["hearts", 25], ["spades", 25]]}},
      "shared": {"state": "ENABLED", "variants": {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"},
        "targeting": {"fractional": [{"cat": ["shared-seed", {"var": "user.name"}]},
          ["clubs", 25], ["diamonds", 25], ["hearts", 25], ["spades", 25]]}},
      "fractional-flag-shorthand": {"state": "ENABLED", "variants": {"heads": "heads", "tails": "tails"},
        "defaultVariant": "heads", "targeting": {"fractional": [["heads"], ["tails", 1]]}}
    },
    "$evaluators": {"is_ballmer": {"==": ["ballmer@macrosoft.com", {"var": ["email"]}]}},
    "metadata": {"team": "shop", "version": 3}}
    """

  private func evaluate<Value>(
    _ name: String, _ value: Value, _ context: FlagAttributes = [:]
  ) throws -> FlagEvaluation<Value> where Value: FlagReadable {
    try FlagDocument(Self.source).evaluate(FlagKey(name, default: value), in: context)
  }

  private let metadata: [String: FlagValue] = ["team": "shop", "version": 3]

  private func result<Value>(
    _ value: Value, _ variant: String?, _ reason: FlagReason, metadata: [String: FlagValue]? = nil
  ) -> FlagEvaluation<Value> {
    FlagEvaluation(value: value, variant: variant, reason: reason, metadata: metadata ?? self.metadata)
  }

  private func failure<Value>(_ value: Value, _ code: FlagErrorCode, _ message: String) -> FlagEvaluation<Value> {
    FlagEvaluation(
      value: value, variant: nil, reason: .error, errorCode: code, errorMessage: message, metadata: metadata)
  }

  @Test("without targeting: the default variant, STATIC")
  func withoutTargeting() throws {
    #expect(try evaluate("boolean", false) == result(true, "on", .static))
    #expect(try evaluate("string", "x") == result("hi", "greeting", .static))
    #expect(try evaluate("integer", 0) == result(10, "ten", .static))
    #expect(try evaluate("float", 0.0) == result(0.5, "half", .static))
    #expect(try evaluate("empty-targeting", "x") == result("1", "one", .static))
    #expect(try evaluate("null-targeting", "x") == result("1", "one", .static))
  }

  @Test("zero, false, an empty string and an empty object are values")
  func zeros() throws {
    #expect(try evaluate("zero", 7) == result(0, "zero", .static))
    #expect(try evaluate("zero", 7.5) == result(0.0, "zero", .static))
    #expect(try evaluate("false", true) == result(false, "zero", .static))
    #expect(try evaluate("empty", "x") == result("", "zero", .static))
    #expect(try evaluate("object", FlagValue.null) == result([:], "empty", .static))
  }

  @Test("10 and 10.0 are one number, and large ones are exact")
  func numbers() throws {
    #expect(try evaluate("integral", 1) == result(10, "ten", .static))
    #expect(try evaluate("integral", 1.5) == result(10.0, "ten", .static))
    #expect(try evaluate("integer", 1.5) == result(10.0, "ten", .static))
    #expect(try evaluate("huge", 1.5) == result(JSONReader.largestNumber, "huge", .static))
    #expect(try Int64(evaluate("huge", 1).value) == Int64(JSONReader.largestNumber))
  }

  @Test("a value of another type: TYPE_MISMATCH, and the caller's default")
  func mismatches() throws {
    #expect(
      try evaluate("boolean", "x")
        == failure("x", .typeMismatch, "variant \"on\" is true, not of type String"))
    #expect(try evaluate("boolean", 1) == failure(1, .typeMismatch, "variant \"on\" is true, not of type Int"))
    #expect(try evaluate("boolean", 0.1) == failure(0.1, .typeMismatch, "variant \"on\" is true, not of type Double"))
    #expect(
      try evaluate("string", false) == failure(false, .typeMismatch, "variant \"greeting\" is \"hi\", not of type Bool")
    )
    #expect(try evaluate("string", 1) == failure(1, .typeMismatch, "variant \"greeting\" is \"hi\", not of type Int"))
    #expect(try evaluate("integer", false) == failure(false, .typeMismatch, "variant \"ten\" is 10, not of type Bool"))
    #expect(try evaluate("float", 1) == failure(1, .typeMismatch, "variant \"half\" is 0.5, not of type Int"))
    #expect(try evaluate("float", "x") == failure("x", .typeMismatch, "variant \"half\" is 0.5, not of type String"))
    #expect(try evaluate("object", "x") == failure("x", .typeMismatch, "variant \"empty\" is {}, not of type String"))
  }

  @Test("disabled: the caller's default, DISABLED, and the flag's metadata before the document's")
  func disabled() throws {
    let merged: [String: FlagValue] = ["team": "own", "version": 3]
    #expect(try evaluate("disabled", "x") == result("x", nil, .disabled, metadata: merged))
  }

  @Test("no default variant where it would be used: the caller's default, DEFAULT")
  func withoutDefault() throws {
    #expect(try evaluate("null-default", "x") == result("x", nil, .default))
    #expect(try evaluate("no-default", "x") == result("x", nil, .default))
    #expect(
      try evaluate("no-default-targeted", "x", ["email": "wozniak@orange.com"]) == result("x", nil, .default))
    #expect(
      try evaluate("no-default-targeted", "x", ["email": "jobs@orange.com"])
        == result("CEO", "special", .targetingMatch))
  }

  @Test("targeting: null is the default variant, a name that variant, true and false their names")
  func targeting() throws {
    #expect(try evaluate("null-variant", "x") == result("2", "two", .default))
    #expect(try evaluate("shorthand", "x") == result("2", "true", .targetingMatch))
    #expect(try evaluate("version", "x", ["version": "1.0.0"]) == result("fallback", "fallback", .default))
    #expect(
      try evaluate("reference", "x", ["email": "ballmer@macrosoft.com"]) == result("hi", "hi", .targetingMatch))
    #expect(try evaluate("reference", "x", ["email": "user@example.com"]) == result("bye", "bye", .targetingMatch))
  }

  @Test("errors: the caller's default, and why")
  func errors() throws {
    #expect(
      try evaluate("boolaen", "x") == failure("x", .flagNotFound, "the document has no flag \"boolaen\""))
    #expect(
      try evaluate("missing-variant", "x")
        == failure("x", .general, "the targeting gave \"three\", which is not the name of a variant"))
    #expect(try evaluate("number-result", "x") == result("1", "1", .targetingMatch))
    #expect(
      try evaluate("list-result", "x")
        == failure("x", .general, "the targeting gave [\"1\"], which is not the name of a variant"))
    for name in ["unknown-operator", "wrong-default", "no-reference"] {
      #expect(
        try evaluate(name, "x")
          == failure("x", .parseError, "flag \"\(name)\" is wrong; see the problems of its document"))
    }
    #expect(
      try FlagDocument(Self.source).problems.map(\.description) == [
        "flags.unknown-operator.targeting.invalid: operator \"invalid\" is unknown",
        "flags.wrong-default.defaultVariant: the flag has no variant \"on\"; did you mean \"one\"?",
        "flags.no-reference.targeting.if[0].$ref: there is no evaluator \"is_balmer\"; did you mean \"is_ballmer\"?",
        "flags.version.targeting.sem_ver: operator \"===\" is unknown; one of = != < <= > >= ^ ~",
      ])
  }

  @Test(
    "the published buckets",
    arguments: [
      ("cards", "jack", "hearts"), ("cards", "queen", "spades"), ("cards", "ten", "clubs"),
      ("cards", "nine", "diamonds"), ("cards", "3", "clubs"), ("shared", "seven", "hearts"),
      ("shared", "eight", "diamonds"), ("shared", "nine", "clubs"), ("shared", "two", "spades"),
    ])
  func buckets(flag: String, name: String, variant: String) throws {
    let result = try FlagDocument(Self.source).evaluate(flag, in: ["user": ["name": .string(name)]] as FlagAttributes)
    #expect(result.variant == variant)
    #expect(result.reason == .targetingMatch)
  }

  @Test(
    "the published buckets of targeting keys", arguments: [("jon@company.com", "heads"), ("jane@company.com", "tails")])
  func targetingKeys(key: String, variant: String) throws {
    let context = FlagAttributes(targetingKey: key)
    #expect(try evaluate("fractional-flag-shorthand", "x", context) == result(variant, variant, .targetingMatch))
  }
}
