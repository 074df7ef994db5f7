public import Plug

extension Rule where Context: FlagContext {
  /// Satisfied if a flag is true.
  ///
  /// ```swift
  /// Candidate("semantic") { SemanticSearch() }
  ///   .when(.flag("semantic-search"))
  /// ```
  ///
  /// The rule reads the flag from the current document in the injector that evaluates it, see ``PlugFlags/Flags``. If
  /// the caller's default is used, because the flag is disabled or has no default variant, the rule is unsatisfied.
  ///
  /// The rule is indeterminate, with the error as the reason, if there is no such flag, if the flag or its targeting is
  /// wrong, or if its value is not a Boolean. All other rules about flags behave in this way, too.
  ///
  /// - Parameter key: The key of the flag.
  public static func flag(_ key: String) -> Self {
    Rule("flag \(JSONWriter.quoted(key))", flag: key, type: "a Boolean") { Bool.read($0.value) }
  }

  /// Satisfied if the value of a flag is equal to another.
  ///
  /// ```swift
  /// .flag("checkout", is: "one-click")
  /// .flag("columns", is: 3)
  /// ```
  ///
  /// The rule compares the value, not the name of the variant: for the name, see ``flag(_:variant:)``. If the caller's
  /// default is used, the rule is unsatisfied. It is indeterminate if the value is of another type.
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - value: The value to compare with.
  public static func flag(_ key: String, is value: FlagValue) -> Self {
    let kind = value.json.kind
    return Rule("flag \(JSONWriter.quoted(key)) == \(value)", flag: key, type: kind) {
      $0.value.json.kind == kind ? $0.value == value : nil
    }
  }

  /// Satisfied if a flag has a variant, whatever its value.
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - variant: The name of the variant.
  public static func flag(_ key: String, variant: String) -> Self {
    Rule(name(ofFlag: key, variant: variant), flag: key) { $0.name == variant }
  }

  /// Satisfied if the value of a flag is a number that is not less than another.
  ///
  /// ```swift
  /// .flag("checkout-version", atLeast: 3)
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - bound: The least number that satisfies the rule.
  public static func flag(_ key: String, atLeast bound: Double) -> Self {
    Rule("flag \(JSONWriter.quoted(key)) >= \(FlagValue.number(bound))", flag: key, type: "a number") {
      Double.read($0.value).map { $0 >= bound }
    }
  }

  /// Satisfied if the value of a flag is a number that is not greater than another.
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - bound: The greatest number that satisfies the rule.
  public static func flag(_ key: String, atMost bound: Double) -> Self {
    Rule("flag \(JSONWriter.quoted(key)) <= \(FlagValue.number(bound))", flag: key, type: "a number") {
      Double.read($0.value).map { $0 <= bound }
    }
  }

  /// Satisfied if the value of a typed flag satisfies a rule.
  ///
  /// ```swift
  /// .flag(.basketLimit, .within(\.self, 3...5))
  /// ```
  ///
  /// If the caller's default is used, the rule evaluates the default of the key.
  ///
  /// - Parameters:
  ///   - key: The flag, with the type of its value and the default.
  ///   - rule: A rule whose context is the value.
  public static func flag<Value>(_ key: FlagKey<Value>, _ rule: Rule<Value>) -> Self {
    rule.pullback(mentioning: mention(ofFlag: key.name)) { context, injector in
      let evaluation = try injector.flagsInForce().evaluate(key, in: context)
      if let code = evaluation.errorCode { throw FlagError(code: code, message: evaluation.errorMessage ?? "") }
      return evaluation.value
    }
  }
}

extension Rule {
  /// The name of a rule about the variant of a flag.
  static func name(ofFlag key: String, variant: String) -> String {
    "variant of flag \(JSONWriter.quoted(key)) == \(JSONWriter.quoted(variant))"
  }
}
