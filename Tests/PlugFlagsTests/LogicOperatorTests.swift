import Testing

@Suite("The operators of logic (jsonlogic.com/operations.html)")
struct LogicOperatorTests {
  @Test(
    "if and ?:",
    arguments: [
      Case(#"{"if": [true, "yes", "no"]}"#, #""yes""#), Case(#"{"if": [false, "yes", "no"]}"#, #""no""#),
      Case(#"{"?:": [true, 1, 2]}"#, "1"), Case(#"{"?:": [false, 1, 2]}"#, "2"),
      Case(#"{"if": []}"#, "null"), Case(#"{"if": [true]}"#, "true"), Case(#"{"if": [false]}"#, "false"),
      Case(#"{"if": ["apple"]}"#, #""apple""#), Case(#"{"if": true}"#, "true"),
      Case(#"{"if": [true, "apple"]}"#, #""apple""#), Case(#"{"if": [false, "apple"]}"#, "null"),
      Case(#"{"if": [true, "a", true, "b", "c"]}"#, #""a""#), Case(#"{"if": [false, "a", true, "b", "c"]}"#, #""b""#),
      Case(#"{"if": [false, "a", false, "b", "c"]}"#, #""c""#), Case(#"{"if": [false, "a", false, "b"]}"#, "null"),
      Case(#"{"if": [false, "yes", false, "no", "maybe"]}"#, #""maybe""#),
      Case(#"{"if": [false, "yes", false, "no", false, "maybe", "who knows"]}"#, #""who knows""#),
      Case(#"{"if": [0, "t", "f"]}"#, #""f""#), Case(#"{"if": [1, "t", "f"]}"#, #""t""#),
      Case(#"{"if": [-1, "t", "f"]}"#, #""t""#), Case(#"{"if": ["", "t", "f"]}"#, #""f""#),
      Case(#"{"if": ["zucchini", "t", "f"]}"#, #""t""#), Case(#"{"if": ["0", "t", "f"]}"#, #""t""#),
      Case(#"{"if": [[], "t", "f"]}"#, #""f""#), Case(#"{"if": [[0], "t", "f"]}"#, #""t""#),
      Case(#"{"if": [null, "t", "f"]}"#, #""f""#), Case(#"{"if": [{}, "t", "f"]}"#, #""f""#),
      Case(#"{"if": [{"/": [0, 0]}, "t", "f"]}"#, #""f""#),
      Case(
        #"{"if": [{"<": [{"var": "temp"}, 0]}, "freezing", {"<": [{"var": "temp"}, 100]}, "liquid", "gas"]}"#,
        #"{"temp": 55}"#, #""liquid""#),
      Case(#"{"if": [{"var": "x"}, [{"var": "y"}], 0]}"#, #"{"x": true, "y": 42}"#, "[42]"),
      Case(#"{"if": [{">": [2, 1]}, {"if": [false, 1, {"+": [1, 2]}]}, 0]}"#, "3"),
      Case(#"{"if": [true, null, "one"]}"#, "null"), Case(#"{"if": [true, true, false]}"#, "true"),
    ])
  func conditions(example: Case) throws {
    try example.check()
  }

  @Test(
    "and, or",
    arguments: [
      Case(#"{"or": [true, false]}"#, "true"), Case(#"{"or": [false, true]}"#, "true"),
      Case(#"{"or": [false, false]}"#, "false"), Case(#"{"or": [false, "apple"]}"#, #""apple""#),
      Case(#"{"or": [false, null, "apple"]}"#, #""apple""#), Case(#"{"or": [3, "apple"]}"#, "3"),
      Case(#"{"or": [false, 0, ""]}"#, #""""#), Case(#"{"or": [true]}"#, "true"), Case(#"{"or": false}"#, "false"),
      Case(#"{"or": [[], {}]}"#, "{}"), Case(#"{"or": []}"#, "null"), Case(#"{"or": [1, 3]}"#, "1"),
      Case(#"{"and": [true, true]}"#, "true"), Case(#"{"and": [true, false]}"#, "false"),
      Case(#"{"and": [true, "apple", false]}"#, "false"), Case(#"{"and": [true, "apple", 3.14]}"#, "3.14"),
      Case(#"{"and": [1, 3]}"#, "3"), Case(#"{"and": [3, false]}"#, "false"), Case(#"{"and": [true, [], 1]}"#, "[]"),
      Case(#"{"and": [true, ""]}"#, #""""#), Case(#"{"and": [false]}"#, "false"), Case(#"{"and": []}"#, "null"),
      Case(#"{"and": [true, null]}"#, "null"), Case(#"{"and": ["0", 1]}"#, "1"),
      Case(
        #"{"and": [{"<": [{"var": "temp"}, 110]}, {"==": [{"var": "pie.filling"}, "apple"]}]}"#,
        #"{"temp": 100, "pie": {"filling": "apple"}}"#, "true"),
      Case(#"{"and": [{">": [3, 1]}, {"<": [1, 3]}]}"#, "true"),
    ])
  func operands(example: Case) throws {
    try example.check()
  }

  @Test(
    "! and !!",
    arguments: [
      Case(#"{"!": [true]}"#, "false"), Case(#"{"!": true}"#, "false"), Case(#"{"!": [false]}"#, "true"),
      Case(#"{"!": false}"#, "true"), Case(#"{"!": 0}"#, "true"), Case(#"{"!": 1}"#, "false"),
      Case(#"{"!": []}"#, "true"), Case(#"{"!": [[]]}"#, "true"), Case(#"{"!": [[0]]}"#, "false"),
      Case(#"{"!": ["mike"]}"#, "false"), Case(#"{"!": [""]}"#, "true"), Case(#"{"!": "0"}"#, "false"),
      Case(#"{"!": null}"#, "true"), Case(#"{"!": [{}]}"#, "true"), Case(#"{"!": [false, true]}"#, "true"),
      Case(#"{"!!": [[]]}"#, "false"), Case(#"{"!!": ["0"]}"#, "true"), Case(#"{"!!": [0]}"#, "false"),
      Case(#"{"!!": ["mike"]}"#, "true"), Case(#"{"!!": [""]}"#, "false"), Case(#"{"!!": []}"#, "false"),
      Case(#"{"!!": [{}]}"#, "false"), Case(#"{"!!": {"var": "x"}}"#, #"{"x": [1]}"#, "true"),
      Case(#"{"!": {"var": "x"}}"#, "{}", "true"), Case(#"{"!": {"in": ["Spring", "Springfield"]}}"#, "false"),
    ])
  func negation(example: Case) throws {
    try example.check()
  }

  @Test(
    "equality and order",
    arguments: [
      Case(#"{"==": [1, 1]}"#, "true"), Case(#"{"==": [1, "1"]}"#, "true"), Case(#"{"==": [0, false]}"#, "true"),
      Case(#"{"===": [1, 1]}"#, "true"), Case(#"{"===": [1, "1"]}"#, "false"), Case(#"{"===": [1, 1.0]}"#, "true"),
      Case(#"{"!=": [1, 2]}"#, "true"), Case(#"{"!=": [1, "1"]}"#, "false"), Case(#"{"!==": [1, "1"]}"#, "true"),
      Case(#"{"!==": [1, 1]}"#, "false"), Case(#"{"==": [null]}"#, "true"), Case(#"{"==": [0]}"#, "false"),
      Case(#"{"===": [null]}"#, "false"), Case(#"{"!==": [null]}"#, "true"), Case(#"{"==": []}"#, "true"),
      Case(#"{"===": []}"#, "true"), Case(#"{"!=": []}"#, "false"), Case(#"{"==": [1, 1, 2]}"#, "true"),
      Case(#"{"==": [{"var": "x"}, null]}"#, "true"),
      Case(#"{">": [2, 1]}"#, "true"), Case(#"{">": [1, 1]}"#, "false"), Case(#"{">": ["2", 1]}"#, "true"),
      Case(#"{">=": [1, 1]}"#, "true"), Case(#"{">=": [1, 2]}"#, "false"), Case(#"{"<": ["1", 2]}"#, "true"),
      Case(#"{"<=": [1, "1"]}"#, "true"), Case(#"{"<": ["10", "9"]}"#, "true"), Case(#"{"<": ["a", "b"]}"#, "true"),
      Case(#"{"<": ["a", "B"]}"#, "false"), Case(#"{"<": ["a", 1]}"#, "false"), Case(#"{">": ["a", 1]}"#, "false"),
      Case(#"{"<": [1, 2, 3]}"#, "true"), Case(#"{"<": [1, 1, 3]}"#, "false"), Case(#"{"<": [1, 4, 3]}"#, "false"),
      Case(#"{"<=": [1, 2, 3]}"#, "true"), Case(#"{"<=": [1, 1, 3]}"#, "true"), Case(#"{"<=": [1, 4, 3]}"#, "false"),
      Case(#"{"<": [0, {"var": "temp"}, 100]}"#, #"{"temp": 37}"#, "true"), Case(#"{">": [3, 2, 1]}"#, "true"),
      Case(#"{">": [3, 2, 2]}"#, "false"), Case(#"{">=": [3, 3, 1]}"#, "true"), Case(#"{">=": [3, 4, 1]}"#, "false"),
      Case(#"{"<": [1]}"#, "false"), Case(#"{">": [1]}"#, "false"), Case(#"{"<": []}"#, "false"),
      Case(#"{"<": [null, 1]}"#, "true"), Case(#"{"<": [{"var": "x"}, 1]}"#, "true"),
      Case(#"{">=": [{"var": "age"}, 18]}"#, #"{"age": 42}"#, "true"),
      Case(#"{"<": [{"var": "$flagd.timestamp"}, 1800000000]}"#, "true"),
    ])
  func comparisons(example: Case) throws {
    try example.check()
  }
}
