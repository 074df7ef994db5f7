import Testing

@Suite("The operators on lists and texts (jsonlogic.com/operations.html)")
struct ListOperatorTests {
  @Test(
    "map, filter and reduce",
    arguments: [
      Case(#"{"map": [{"var": "integers"}, {"*": [{"var": ""}, 2]}]}"#, #"{"integers": [1, 2, 3]}"#, "[2,4,6]"),
      Case(#"{"map": [{"var": "desserts"}, {"var": "qty"}]}"#, #"{"desserts": [{"qty": 1}, {"qty": 2}]}"#, "[1,2]"),
      Case(#"{"map": [{"var": "none"}, {"*": [{"var": ""}, 2]}]}"#, "{}", "[]"),
      Case(#"{"map": [[1, 2], {"var": "x"}]}"#, #"{"x": 9}"#, "[null,null]"),
      Case(#"{"map": [[1, 2]]}"#, "[null,null]"), Case(#"{"map": []}"#, "[]"),
      Case(#"{"map": [[[1, 2], [3]], {"map": [{"var": ""}, {"+": [{"var": ""}, 1]}]}]}"#, "[[2,3],[4]]"),
      Case(#"{"filter": [{"var": "integers"}, {">=": [{"var": ""}, 2]}]}"#, #"{"integers": [1, 2, 3]}"#, "[2,3]"),
      Case(#"{"filter": [{"var": "integers"}, {"%": [{"var": ""}, 2]}]}"#, #"{"integers": [1, 2, 3]}"#, "[1,3]"),
      Case(#"{"filter": [[1, 2], true]}"#, "[1,2]"), Case(#"{"filter": [[1, 2], false]}"#, "[]"),
      Case(#"{"filter": ["text", true]}"#, "[]"),
      Case(
        #"{"reduce": [{"var": "integers"}, {"+": [{"var": "current"}, {"var": "accumulator"}]}, 0]}"#,
        #"{"integers": [1, 2, 3, 4]}"#, "10"),
      Case(
        #"{"reduce": [{"var": "integers"}, {"*": [{"var": "current"}, {"var": "accumulator"}]}, 1]}"#,
        #"{"integers": [1, 2, 3, 4]}"#, "24"),
      Case(#"{"reduce": [{"var": "none"}, {"+": [{"var": "current"}, {"var": "accumulator"}]}, 7]}"#, "{}", "7"),
      Case(#"{"reduce": [{"var": "none"}, {"var": "current"}]}"#, "null"),
      Case(#"{"reduce": [[1, 2], {"var": "accumulator"}, {"var": "start"}]}"#, #"{"start": 5}"#, "5"),
      Case(#"{"reduce": [[[1], [2]], {"merge": [{"var": "accumulator"}, {"var": "current"}]}, []]}"#, "[1,2]"),
      Case(
        #"{"reduce": [{"var": "d"}, {"+": [{"var": "accumulator"}, {"var": "current.q"}]}, 0]}"#,
        #"{"d": [{"q": 2}, {"q": 3}]}"#, "5"),
      Case(#"{"reduce": [[1], {"var": ""}, 0]}"#, #"{"accumulator":0,"current":1}"#),
      Case(#"{"reduce": [[1], {"var": "other"}, 0]}"#, #"{"other": 1}"#, "null"),
      Case(#"{"reduce": [[[1, 2]], {"var": "current.1"}, 0]}"#, "2"),
      Case(
        """
        {"reduce": [{"filter": [{"var": "d"}, {">": [{"var": ""}, 1]}]},
        {"max": [{"var": "current"}, {"var": "accumulator"}]}, 0]}
        """,
        #"{"d": [1, 5, 3]}"#, "5"),
    ])
  func loops(example: Case) throws {
    try example.check()
  }

  @Test(
    "all, none and some",
    arguments: [
      Case(#"{"all": [[1, 2, 3], {">": [{"var": ""}, 0]}]}"#, "true"),
      Case(#"{"all": [[1, 2, 3], {">": [{"var": ""}, 1]}]}"#, "false"),
      Case(#"{"all": [[], {">": [{"var": ""}, 1]}]}"#, "false"), Case(#"{"all": ["text", true]}"#, "false"),
      Case(
        #"{"all": [{"var": "items"}, {">=": [{"var": "qty"}, 1]}]}"#, #"{"items": [{"qty": 1}, {"qty": 2}]}"#, "true"),
      Case(#"{"all": [{"var": "items"}, {"<": [{"var": "qty"}, 1]}]}"#, #"{"items": []}"#, "false"),
      Case(#"{"none": [[-3, -2, -1], {">": [{"var": ""}, 0]}]}"#, "true"),
      Case(#"{"none": [[-3, 2, -1], {">": [{"var": ""}, 0]}]}"#, "false"),
      Case(#"{"none": [[], {">": [{"var": ""}, 0]}]}"#, "true"), Case(#"{"none": [null, true]}"#, "true"),
      Case(#"{"some": [[-1, 0, 1], {">": [{"var": ""}, 0]}]}"#, "true"),
      Case(#"{"some": [[-1, 0], {">": [{"var": ""}, 0]}]}"#, "false"),
      Case(#"{"some": [[], {">": [{"var": ""}, 0]}]}"#, "false"), Case(#"{"some": [1, true]}"#, "false"),
      Case(
        #"{"some": [{"var": "pies"}, {"==": [{"var": "filling"}, "apple"]}]}"#,
        #"{"pies": [{"filling": "pumpkin"}, {"filling": "apple"}]}"#, "true"),
      Case(
        #"{"some": [{"var": "tags"}, {"in": [{"var": ""}, ["vip", "beta"]]}]}"#, #"{"tags": ["x", "beta"]}"#, "true"),
    ])
  func quantifiers(example: Case) throws {
    try example.check()
  }

  @Test(
    "merge and in",
    arguments: [
      Case(#"{"merge": [[1, 2], [3, 4]]}"#, "[1,2,3,4]"), Case(#"{"merge": [1, 2, [3, 4]]}"#, "[1,2,3,4]"),
      Case(#"{"merge": []}"#, "[]"), Case(#"{"merge": [[1]]}"#, "[1]"), Case(#"{"merge": [[1], []]}"#, "[1]"),
      Case(#"{"merge": 1}"#, "[1]"), Case(#"{"merge": [[1, [2]], 3]}"#, "[1,[2],3]"),
      Case(#"{"merge": [null, [null]]}"#, "[null,null]"),
      Case(#"{"merge": [{"var": "x"}, 1]}"#, #"{"x": [0]}"#, "[0,1]"),
      Case(#"{"in": ["Ringo", ["John", "Paul", "George", "Ringo"]]}"#, "true"),
      Case(#"{"in": ["Todd", ["Bob", "Mike"]]}"#, "false"), Case(#"{"in": ["Spring", "Springfield"]}"#, "true"),
      Case(#"{"in": ["i", "team"]}"#, "false"), Case(#"{"in": ["Illinois", "Springfield"]}"#, "false"),
      Case(#"{"in": ["", "team"]}"#, "true"), Case(#"{"in": ["", ""]}"#, "true"), Case(#"{"in": ["a", ""]}"#, "false"),
      Case(#"{"in": [1, [1, 2]]}"#, "true"), Case(#"{"in": ["1", [1, 2]]}"#, "false"),
      Case(#"{"in": [1.0, [1]]}"#, "true"), Case(#"{"in": [2, "123"]}"#, "true"),
      Case(#"{"in": [null, [null]]}"#, "true"),
      Case(#"{"in": [null, "null"]}"#, "true"), Case(#"{"in": [[1], [[1]]]}"#, "false"),
      Case(#"{"in": [true, [1, true]]}"#, "true"), Case(#"{"in": ["a", null]}"#, "false"),
      Case(#"{"in": ["a", 1]}"#, "false"), Case(#"{"in": ["a", {}]}"#, "false"), Case(#"{"in": ["a"]}"#, "false"),
      Case(#"{"in": []}"#, "false"),
      Case(#"{"in": ["@faas.com", {"var": ["email"]}]}"#, #"{"email": "x@faas.com"}"#, "true"),
      Case(#"{"in": ["aab", "aaab"]}"#, "true"), Case(#"{"in": ["ü", "über"]}"#, "true"),
    ])
  func containment(example: Case) throws {
    try example.check()
  }

  @Test("in finds the same in a long list as in a short one")
  func longLists() throws {
    let list = (0..<100).map { "\"name-\($0)\"" } + ["1", "\"\u{E9}\"", "null"]
    let rule = "{\"in\": [{\"var\": \"x\"}, [\(list.joined(separator: ", "))]]}"
    for (value, expected) in [
      ("\"name-7\"", "true"), ("\"name-100\"", "false"), ("1", "true"), ("\"1\"", "false"), ("null", "true"),
      ("\"\u{E9}\"", "true"), ("\"e\u{301}\"", "false"), ("[1]", "false"),
    ] {
      try Case(rule, "{\"x\": \(value)}", expected).check()
    }
  }

  @Test(
    "cat and substr",
    arguments: [
      Case(#"{"cat": ["I love", " pie"]}"#, #""I love pie""#), Case(#"{"cat": "ice"}"#, #""ice""#),
      Case(#"{"cat": []}"#, #""""#), Case(#"{"cat": [1]}"#, #""1""#), Case(#"{"cat": [1, 2.0, 0.5]}"#, #""120.5""#),
      Case(#"{"cat": ["a", null, true, false]}"#, #""atruefalse""#),
      Case(#"{"cat": [[1, [2, null], 3]]}"#, #""1,2,,3""#),
      Case(#"{"cat": [{}]}"#, #""[object Object]""#), Case(#"{"cat": [" a ", " b "]}"#, #"" a  b ""#),
      Case(#"{"cat": ["Robocop ", {"var": "n"}]}"#, #"{"n": 2}"#, #""Robocop 2""#),
      Case(#"{"cat": [1e21, "/", 1e-7]}"#, #""1e+21/1e-7""#), Case(#"{"cat": [{"/": [1, 0]}]}"#, #""Infinity""#),
      Case(#"{"substr": ["jsonlogic", 4]}"#, #""logic""#), Case(#"{"substr": ["jsonlogic", -5]}"#, #""logic""#),
      Case(#"{"substr": ["jsonlogic", 1, 3]}"#, #""son""#), Case(#"{"substr": ["jsonlogic", 4, -2]}"#, #""log""#),
      Case(#"{"substr": ["jsonlogic", 0, 1]}"#, #""j""#), Case(#"{"substr": ["jsonlogic", -1, 1]}"#, #""c""#),
      Case(#"{"substr": ["jsonlogic", 4, 5]}"#, #""logic""#), Case(#"{"substr": ["jsonlogic", -5, 5]}"#, #""logic""#),
      Case(#"{"substr": ["jsonlogic", -5, -2]}"#, #""log""#), Case(#"{"substr": ["jsonlogic", 1, -5]}"#, #""son""#),
      Case(#"{"substr": ["jsonlogic", 100]}"#, #""""#), Case(#"{"substr": ["jsonlogic", -100]}"#, #""jsonlogic""#),
      Case(#"{"substr": ["jsonlogic", -100, 2]}"#, #""js""#), Case(#"{"substr": ["jsonlogic", 2, 0]}"#, #""""#),
      Case(#"{"substr": ["jsonlogic", 2, -100]}"#, #""""#),
      Case(#"{"substr": ["jsonlogic", 0, 100]}"#, #""jsonlogic""#),
      Case(#"{"substr": ["jsonlogic"]}"#, #""jsonlogic""#), Case(#"{"substr": [12345, 1, 2]}"#, #""23""#),
      Case(#"{"substr": ["abc", "1"]}"#, #""bc""#), Case(#"{"substr": ["abc", 1.9]}"#, #""bc""#),
      Case(#"{"substr": [null, 0, 2]}"#, #""nu""#), Case(#"{"substr": []}"#, "null"),
      Case(#"{"substr": ["ab😀cd", 2, 2]}"#, #""😀""#), Case(#"{"substr": ["ab😀cd", 3, 1]}"#, "\"\u{FFFD}\""),
      Case(#"{"substr": ["abc", 1e300]}"#, #""""#), Case(#"{"substr": ["abc", -1e300, 1e300]}"#, #""abc""#),
    ])
  func texts(example: Case) throws {
    try example.check()
  }

  @Test(
    "arithmetic",
    arguments: [
      Case(#"{"+": [1, 1]}"#, "2"), Case(#"{"+": [4, 2]}"#, "6"), Case(#"{"+": [2, 2, 2, 2, 2]}"#, "10"),
      Case(#"{"+": "3.14"}"#, "3.14"), Case(#"{"+": ["3px", 1]}"#, "4"), Case(#"{"+": []}"#, "0"),
      Case(#"{"+": [null, 1]}"#, "NaN"), Case(#"{"+": [true, 1]}"#, "NaN"), Case(#"{"+": [[3], 1]}"#, "4"),
      Case(#"{"+": ["", 1]}"#, "NaN"), Case(#"{"+": [0.1, 0.2]}"#, "0.30000000000000004"),
      Case(#"{"-": [4, 2]}"#, "2"), Case(#"{"-": [2, 3]}"#, "-1"), Case(#"{"-": [3]}"#, "-3"), Case(#"{"-": 2}"#, "-2"),
      Case(#"{"-": -2}"#, "2"), Case(#"{"-": ["5", true]}"#, "4"), Case(#"{"-": [null]}"#, "0"),
      Case(#"{"-": []}"#, "NaN"),
      Case(#"{"-": [9, 1, 1]}"#, "7"), Case(#"{"-": ["3px", 1]}"#, "NaN"),
      Case(#"{"*": [4, 2]}"#, "8"), Case(#"{"*": [2, 2, 2, 2, 2]}"#, "32"), Case(#"{"*": ["2", 3]}"#, "6"),
      Case(#"{"*": [1]}"#, "1"), Case(#"{"*": []}"#, "null"), Case(#"{"*": [null, 1]}"#, "NaN"),
      Case(#"{"/": [4, 2]}"#, "2"), Case(#"{"/": [2, 4]}"#, "0.5"), Case(#"{"/": ["1", 1]}"#, "1"),
      Case(#"{"/": [1, 0]}"#, "Infinity"), Case(#"{"/": [-1, 0]}"#, "-Infinity"), Case(#"{"/": [0, 0]}"#, "NaN"),
      Case(#"{"/": [1]}"#, "NaN"), Case(#"{"/": [12, 3, 2]}"#, "2"),
      Case(#"{"%": [101, 2]}"#, "1"), Case(#"{"%": [-5, 3]}"#, "-2"),
      Case(#"{"%": [5.5, 2]}"#, "1.5"), Case(#"{"%": [1, 0]}"#, "NaN"), Case(#"{"%": ["7", "4"]}"#, "3"),
      Case(#"{"max": [1, 2, 3]}"#, "3"), Case(#"{"max": [-1, -2]}"#, "-1"), Case(#"{"max": [1]}"#, "1"),
      Case(#"{"max": {"var": "list"}}"#, #"{"list": [1, 3, 2]}"#, "3"), Case(#"{"min": [[4, "2"]]}"#, "2"),
      Case(#"{"max": {"var": "list"}}"#, #"{"list": []}"#, "null"), Case(#"{"max": [[1], [2, 3]]}"#, "NaN"),
      Case(#"{"max": []}"#, "-Infinity"), Case(#"{"max": ["5", 3]}"#, "5"), Case(#"{"max": [null, -1]}"#, "0"),
      Case(#"{"max": ["a", 1]}"#, "NaN"), Case(#"{"min": [1, 2, 3]}"#, "1"), Case(#"{"min": []}"#, "Infinity"),
      Case(#"{"min": [true, 2]}"#, "1"), Case(#"{"min": [{"var": "x"}, 1]}"#, #"{"x": -7}"#, "-7"),
    ])
  func arithmetic(example: Case) throws {
    try example.check()
  }
}
