import Testing

@Suite("The operators on data (jsonlogic.com/operations.html)")
struct DataOperatorTests {
  @Test(
    "var",
    arguments: [
      Case(#"{"var": ["a"]}"#, #"{"a": 1, "b": 2}"#, "1"),
      Case(#"{"var": "a"}"#, #"{"a": 1, "b": 2}"#, "1"),
      Case(#"{"var": ["z", 26]}"#, #"{"a": 1, "b": 2}"#, "26"),
      Case(#"{"var": "champ.name"}"#, #"{"champ": {"name": "Fezzig", "height": 223}}"#, #""Fezzig""#),
      Case(#"{"var": 1}"#, #"["zero", "one", "two"]"#, #""one""#),
      Case(#"{"var": "1"}"#, #"["zero", "one", "two"]"#, #""one""#),
      Case(#"{"var": "2"}"#, #"["zero", "one"]"#, "null"),
      Case(#"{"var": "01"}"#, #"["zero", "one"]"#, "null"),
      Case(#"{"var": "-1"}"#, #"["zero", "one"]"#, "null"),
      Case(#"{"var": ["5", "none"]}"#, #"["zero", "one"]"#, #""none""#),
      Case(#"{"var": "a.1.b"}"#, #"{"a": [0, {"b": 7}]}"#, "7"),
      Case(#"{"var": ""}"#, "1", "1"),
      Case(#"{"var": null}"#, "1", "1"),
      Case(#"{"var": []}"#, "1", "1"),
      Case(#"{"var": [""]}"#, #""Dolly""#, #""Dolly""#),
      Case(#"{"cat": ["Hello, ", {"var": ""}]}"#, #""Dolly""#, #""Hello, Dolly""#),
      Case(#"{"var": "a"}"#, "{}", "null"),
      Case(#"{"var": "a"}"#, "null", "null"),
      Case(#"{"var": "a.b"}"#, "null", "null"),
      Case(#"{"var": ["a.b", 9]}"#, "null", "9"),
      Case(#"{"var": "a.b"}"#, #"{"a": null}"#, "null"),
      Case(#"{"var": ["a.b.c", 3]}"#, #"{"a": {"b": null}}"#, "3"),
      Case(#"{"var": ["a", 3]}"#, #"{"a": null}"#, "3"),
      Case(#"{"var": ["a", 3]}"#, #"{"a": false}"#, "false"),
      Case(#"{"var": ["a", 3]}"#, #"{"a": 0}"#, "0"),
      Case(#"{"var": ["a", {"var": "b"}]}"#, #"{"b": 4}"#, "4"),
      Case(#"{"var": {"var": "name"}}"#, #"{"name": "b", "b": 5}"#, "5"),
      Case(#"{"var": [{"cat": ["b", ".c"]}, 1]}"#, #"{"b": {"c": 6}}"#, "6"),
      Case(#"{"var": [{"var": "x"}, 1]}"#, #"{"x": "y"}"#, "1"),
      Case(#"{"var": {"if": [true, "a", "b"]}}"#, #"{"a": "apple", "b": "banana"}"#, #""apple""#),
      Case(#"{"var": "a.length"}"#, #"{"a": "text"}"#, "null"),
      Case(#"{"var": "a.0"}"#, #"{"a": "text"}"#, "null"),
      Case(#"{"var": "a."}"#, #"{"a": {"": 8}}"#, "8"),
      Case(#"{"var": "a"}"#, #"{"a": [1, {"b": null}]}"#, #"[1,{"b":null}]"#),
      Case(#"{"var": 1.5}"#, #"{"1": {"5": "x"}}"#, #""x""#),
      Case(#"{"var": true}"#, #"{"true": 1}"#, "1"),
      Case(#"{"var": "$flagd.flagKey"}"#, #""flag""#),
      Case(#"{"var": "$flagd.timestamp"}"#, "1700000000"),
      Case(#"{"var": "$flagd"}"#, #"{"flagKey":"flag","timestamp":1700000000}"#),
      Case(#"{"var": "$flagd.flagKey"}"#, #"{"$flagd": {"flagKey": "forged"}}"#, #""flag""#),
      Case(#"{"var": "$flagd.other"}"#, "null"),
      Case(#"{"var": "targetingKey"}"#, #"{"targetingKey": "p-17"}"#, #""p-17""#),
      Case(#"{"var": "targetingKey"}"#, "null"),
      Case(#"{"var": ["targetingKey", "none"]}"#, #""none""#),
      Case(
        #"{"var": ""}"#, #"{"a": 1, "targetingKey": "k"}"#,
        #"{"$flagd":{"flagKey":"flag","timestamp":1700000000},"a":1,"targetingKey":"k"}"#),
    ])
  func variable(example: Case) throws {
    try example.check()
  }

  @Test(
    "missing and missing_some",
    arguments: [
      Case(#"{"missing": ["a", "b"]}"#, #"{"a": "apple", "c": "carrot"}"#, #"["b"]"#),
      Case(#"{"missing": ["a", "b"]}"#, #"{"a": "apple", "b": "banana"}"#, "[]"),
      Case(#"{"missing": []}"#, "null", "[]"),
      Case(#"{"missing": ["a"]}"#, "null", #"["a"]"#),
      Case(#"{"missing": "a"}"#, "null", #"["a"]"#),
      Case(#"{"missing": "a"}"#, #"{"a": "apple"}"#, "[]"),
      Case(#"{"missing": ["a.b"]}"#, #"{"a": "apple"}"#, #"["a.b"]"#),
      Case(#"{"missing": ["a.b"]}"#, #"{"a": {"c": "apple"}}"#, #"["a.b"]"#),
      Case(#"{"missing": ["a.b"]}"#, #"{"a": {"b": "apple"}}"#, "[]"),
      Case(#"{"missing": [1]}"#, #"["zero", "one"]"#, "[]"),
      Case(#"{"missing": [0, 7]}"#, #"["zero", "one"]"#, "[7]"),
      Case(#"{"missing": ["a"]}"#, #"{"a": null}"#, #"["a"]"#),
      Case(#"{"missing": ["a"]}"#, #"{"a": ""}"#, "[]"),
      Case(#"{"missing": ["a"]}"#, #"{"a": 0}"#, "[]"),
      Case(#"{"missing": ["a"]}"#, #"{"a": false}"#, "[]"),
      Case(#"{"missing": {"var": "names"}}"#, #"{"names": ["a", "b"], "a": 1}"#, #"["b"]"#),
      Case(#"{"missing": {"merge": ["a", ["b", "c"]]}}"#, #"{"b": 1}"#, #"["a","c"]"#),
      Case(
        #"{"missing": {"merge": ["vin", {"if": [{"var": "financing"}, ["apr", "term"], []]}]}}"#,
        #"{"financing": true}"#, #"["vin","apr","term"]"#),
      Case(
        #"{"if": [{"missing": ["a", "b"]}, "Not enough fruit", "OK to proceed"]}"#, #"{"a": 1, "b": 2}"#,
        #""OK to proceed""#),
      Case(#"{"if": [{"missing": "a"}, "missed it", "found it"]}"#, "null", #""missed it""#),
      Case(#"{"missing_some": [1, ["a", "b", "c"]]}"#, #"{"a": "apple"}"#, "[]"),
      Case(#"{"missing_some": [2, ["a", "b", "c"]]}"#, #"{"a": "apple"}"#, #"["b","c"]"#),
      Case(#"{"missing_some": [2, ["a", "b", "c"]]}"#, #"{"a": 1, "c": 3}"#, "[]"),
      Case(#"{"missing_some": [1, ["a", "b"]]}"#, "{}", #"["a","b"]"#),
      Case(#"{"missing_some": [0, ["a", "b"]]}"#, "{}", "[]"),
      Case(#"{"missing_some": ["1", ["a", "b"]]}"#, #"{"b": 1}"#, "[]"),
      Case(#"{"missing_some": [3, ["a", "b"]]}"#, #"{"a": 1}"#, #"["b"]"#),
      Case(#"{"missing_some": [1, {"var": "names"}]}"#, #"{"names": ["a", "b"]}"#, #"["a","b"]"#),
    ])
  func missing(example: Case) throws {
    try example.check()
  }

  @Test(
    "A value that is no operation is itself",
    arguments: [
      Case("true", "true"), Case("false", "false"), Case("17", "17"), Case("3.14", "3.14"), Case("10.0", "10"),
      Case(#""apple""#, #""apple""#), Case("null", "null"), Case(#"["a", "b"]"#, #"["a","b"]"#), Case("[]", "[]"),
      Case("{}", "{}"), Case(#"{"a": 1, "b": {"var": "x"}}"#, #"{"a":1,"b":{"var":"x"}}"#),
      Case(#"[1, {"var": "x"}, [{"var": "x"}]]"#, #"{"x": 2}"#, "[1,2,[2]]"),
      Case(#"{"log": "apple"}"#, #""apple""#), Case(#"{"log": [[1]]}"#, "[1]"), Case(#"{"log": []}"#, "null"),
      Case(#"{"log": {"var": "x"}}"#, #"{"x": 2}"#, "2"),
    ])
  func literals(example: Case) throws {
    try example.check()
  }
}
