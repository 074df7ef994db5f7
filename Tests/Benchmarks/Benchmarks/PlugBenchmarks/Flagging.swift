import Benchmark
import Plug
import PlugFlags

private struct Visitor: ListedFlagContext {
  var id = "shopper-4711"
  var country = "DE"
  var email = "lou@example.com"
  var appVersion = "4.2.0"
  var age = 42
  var tags = ["new", "vip"]

  static let flagAttributes = FlagAttributeList<Visitor>(
    targetingKey: \.id,
    [
      .init("country", \.country), .init("email", \.email), .init("appVersion", \.appVersion), .init("age", \.age),
      .init("tags", \.tags),
    ])
}

/// A targeting whose result is true, for each operator. The rest of it is the same as in the row without one.
private let targetings = [
  ("no operator", "true"),
  ("var", #"{"var": "age"}"#),
  ("missing", #"{"missing": ["age", "wallet"]}"#),
  ("missing_some", #"{"missing_some": [2, ["age", "wallet"]]}"#),
  ("if", #"{"if": [true, true, false]}"#),
  ("==", #"{"==": [{"var": "age"}, 42]}"#),
  ("===", #"{"===": [{"var": "age"}, 42]}"#),
  ("!=", #"{"!=": [{"var": "age"}, 43]}"#),
  ("!==", #"{"!==": [{"var": "age"}, 43]}"#),
  ("!", #"{"!": [{"var": "wallet"}]}"#),
  ("!!", #"{"!!": [{"var": "age"}]}"#),
  ("and", #"{"and": [true, {"var": "age"}]}"#),
  ("or", #"{"or": [false, {"var": "age"}]}"#),
  (">", #"{">": [{"var": "age"}, 18]}"#),
  (">=", #"{">=": [{"var": "age"}, 18]}"#),
  ("<", #"{"<": [{"var": "age"}, 65]}"#),
  ("<=", #"{"<=": [18, {"var": "age"}, 65]}"#),
  ("max", #"{"max": [{"var": "age"}, 18]}"#),
  ("min", #"{"min": [{"var": "age"}, 18]}"#),
  ("+", #"{"+": [{"var": "age"}, 18]}"#),
  ("-", #"{"-": [{"var": "age"}, 18]}"#),
  ("*", #"{"*": [{"var": "age"}, 18]}"#),
  ("/", #"{"/": [{"var": "age"}, 18]}"#),
  ("%", #"{"%": [{"var": "age"}, 18]}"#),
  ("map", #"{"map": [{"var": "tags"}, {"var": ""}]}"#),
  ("filter", #"{"filter": [{"var": "tags"}, {"var": ""}]}"#),
  ("reduce", #"{"reduce": [{"var": "tags"}, {"var": "current"}, ""]}"#),
  ("all", #"{"all": [{"var": "tags"}, {"var": ""}]}"#),
  ("none", #"{"none": [{"var": "tags"}, {"!": [{"var": ""}]}]}"#),
  ("some", #"{"some": [{"var": "tags"}, {"var": ""}]}"#),
  ("merge", #"{"merge": [{"var": "tags"}, ["old"]]}"#),
  ("in", #"{"in": [{"var": "country"}, ["AT", "CH", "DE"]]}"#),
  ("cat", #"{"cat": [{"var": "country"}, "-", {"var": "appVersion"}]}"#),
  ("substr", #"{"substr": [{"var": "email"}, 0, 3]}"#),
  ("log", #"{"log": [{"var": "age"}]}"#),
  ("fractional", #"{"===": [{"fractional": [["on", 25], ["off", 75]]}, "off"]}"#),
  ("sem_ver", #"{"sem_ver": [{"var": "appVersion"}, ">=", "4.1.0"]}"#),
  ("starts_with", #"{"starts_with": [{"var": "email"}, "lou"]}"#),
  ("ends_with", #"{"ends_with": [{"var": "email"}, "@example.com"]}"#),
]

private let gate = """
  {"and": [
    {"in": [{"var": "country"}, ["AT", "CH", "DE", "NL"]]},
    {"sem_ver": [{"var": "appVersion"}, ">=", "4.1.0"]},
    {"ends_with": [{"var": "email"}, "@example.com"]},
    {"===": [{"fractional": [["on", 25], ["off", 75]]}, "off"]}
  ]}
  """

private func makeDocument() -> FlagDocument {
  let operators = targetings.map { name, targeting in
    """
    "\(name)": {
      "state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
      "targeting": {"if": [\(targeting), "on", "off"]}
    }
    """
  }
  let text = """
    {"flags": {
      "gate": {
        "state": "ENABLED", "variants": {"true": true, "false": false}, "defaultVariant": "false", "targeting": \(gate)
      },
      "choice": {
        "state": "ENABLED", "variants": {\((0..<10).map { #""plugin-\#($0)": \#($0)"# }.joined(separator: ", "))},
        "defaultVariant": "plugin-0", "targeting": {"if": [\(gate), "plugin-9", "plugin-1"]}
      },
      \(operators.joined(separator: ",\n"))
    }}
    """
  return demand { try FlagDocument(text) }
}

private func makeServices(_ document: FlagDocument) -> Injector {
  let services = Injector()
  demand {
    try services.register(injectable: .singleton(NumberedPlugin() as any Plugin))
    try services.register(
      PluginPoint<any Plugin, Visitor>("gated") {
        Candidate("plugin") { NumberedPlugin() }.when(.flag("gate"))
      })
    try services.register(
      PluginPoint<NumberedPlugin, Visitor>("decided", decidedBy: "choice") {
        for number in 0..<10 { Candidate("plugin-\(number)") { NumberedPlugin() } }
      })
    try services.seal()
  }
  services[Flags.self] = document
  return services
}

/// Flags, and choices by flags.
func flagging() {
  let document = makeDocument()
  let services = makeServices(document)
  let key = FlagKey<Bool>("gate", default: false)
  let choice = FlagKey<Int>("choice", default: 0)
  let visitor = Visitor()

  compare(
    "flag of four clauses against 350 ns",
    Work { for _ in $0 { blackHole(services.flag(key, in: visitor)) } }, with: .nanoseconds(350))
  compare(
    "get by a flag of four clauses against evaluating it",
    Work { for _ in $0 { blackHole(try services.get((any Plugin).self, in: visitor)) } },
    with: Work { for _ in $0 { blackHole(services.flag(key, in: visitor)) } })
  compare(
    "get among 10 decided by a flag against evaluating it",
    Work { for _ in $0 { blackHole(try services.get(NumberedPlugin.self, in: visitor)) } },
    with: Work { for _ in $0 { blackHole(services.flag(choice, in: visitor)) } })
  let plain = FlagKey<Bool>("no operator", default: false)
  for (name, _) in targetings.dropFirst() {
    let key = FlagKey<Bool>(name, default: false)
    compare(
      "flag with \(name) against one without",
      Work { for _ in $0 { blackHole(document.evaluate(key, in: visitor).value) } },
      with: Work { for _ in $0 { blackHole(document.evaluate(plain, in: visitor).value) } })
  }
  let (small, large) = (text(1_000), text(8_000))
  compare(
    "read 8000 flags against 8 times 1000", limit: 2,
    Work(1) { _ in blackHole(try FlagDocument(large)) },
    with: Work(1) { _ in for _ in 0..<8 { blackHole(try FlagDocument(small)) } })
  compare(
    "read 4000 flags with misspelt references against 50 ms", limit: 1,
    Work(1, on: misspelt(4_000)) { text, _ in blackHole(try FlagDocument(text)) }, with: .nanoseconds(50_000_000))
  let target = FlagKey<String>("target", default: "")
  for (name, many, few) in [
    ("in over a million elements", listed(1_000_000), listed(10)),
    ("a result that none of 10000 variants is called", unnamed(10_000), unnamed(10)),
  ] {
    compare(
      "flag with \(name) against 10", limit: 4,
      Work(on: demand { try FlagDocument(many()) }) { document, round in
        for _ in round { blackHole(document.evaluate(target, in: visitor).value) }
      },
      with: Work(on: demand { try FlagDocument(few()) }) { document, round in
        for _ in round { blackHole(document.evaluate(target, in: visitor).value) }
      })
  }
}

/// A document with so many flags, each of which refers to a piece that does not exist, and as many that do.
private func misspelt(_ count: Int) -> String {
  let flags = (0..<count).map {
    #""flag-\#($0)": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"$ref": "piece-\#($0)x"}}"#
  }
  let pieces = (0..<count).map { "\"piece-\($0)\": true" }
  return "{\"flags\": {\(flags.joined(separator: ","))}, \"$evaluators\": {\(pieces.joined(separator: ","))}}"
}

/// A flag that is looked up in a list, where it is the last.
private func listed(_ count: Int) -> () -> String {
  {
    let list = (1..<count).map { "\"country \($0)\"" } + ["\"DE\""]
    return target(#"{"if": [{"in": [{"var": "country"}, [\#(list.joined(separator: ","))]]}, "on"]}"#, ["on"])
  }
}

/// A flag whose targeting gives a name that no variant has.
private func unnamed(_ count: Int) -> () -> String {
  { target(#"{"cat": ["variant ", {"var": "country"}]}"#, (0..<count).map { "variant \($0)" }) }
}

private func target(_ targeting: String, _ variants: [String]) -> String {
  let variants = variants.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ",")
  return #"{"flags": {"target": {"state": "ENABLED", "variants": {\#(variants)}, "targeting": \#(targeting)}}}"#
}

/// A document with so many flags.
private func text(_ count: Int) -> String {
  let flags = (0..<count).map {
    """
    "flag-\($0)": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
    "targeting": {"if": [{"in": [{"var": "country"}, ["DE", "AT"]]}, "on", null]}}
    """
  }
  return "{\"flags\": {\(flags.joined(separator: ","))}}"
}
