extension Rule {
  /// Satisfied for a fixed percentage of all identifiers, always the same ones.
  ///
  /// ```swift
  /// Candidate("semantic") { SemanticSearch() }
  ///   .when(.rollout(25, of: "semantic", by: \.id))
  /// ```
  ///
  /// The name and the identifier are hashed into a bucket in 0 ..< 100, and the rule is satisfied if the bucket is less
  /// than `percentage`. An identifier that is in at 10 % therefore stays in at 25 %. At 0 the rule admits none, and at
  /// 100 all. Rollouts with different names select independently of each other.
  ///
  /// - Parameters:
  ///   - percentage: The percentage, in 0 ... 100. Any other value makes the rule indeterminate, so that it admits
  ///     none.
  ///   - name: The name of what is rolled out.
  ///   - identifier: The property of the context that identifies it, such as the id of an account.
  ///   - hashing: How the bucket is found.
  public static func rollout(
    _ percentage: Double, of name: String, by identifier: any KeyPath<Context, String> & Sendable,
    hashing: RolloutHashing = .plug
  ) -> Self {
    let (buckets, value) = (Buckets(of: name, hashing), StoredProperty(identifier))
    return Rule(
      "rollout \(shortest(percentage))% of \(quoted(name)) by \(propertyName(identifier))",
      about: value.subjects, { try buckets.admit(value($0), to: percentage) },
      seeing: { buckets.operand(of: value($0)) })
  }

  /// Satisfied for a percentage of all identifiers that the context says: a share that changes while the program runs.
  ///
  /// ```swift
  /// .rollout(\.shares.oneClick, of: "one-click", by: \.id)
  /// ```
  ///
  /// A share that grows moves nobody out.
  ///
  /// - Parameters:
  ///   - percentage: The property of the context with the percentage, in 0 ... 100. Any other value makes the rule
  ///     indeterminate, so that it admits none.
  ///   - name: The name of what is rolled out.
  ///   - identifier: The property of the context that identifies it.
  ///   - hashing: How the bucket is found.
  public static func rollout(
    _ percentage: any KeyPath<Context, Double> & Sendable, of name: String,
    by identifier: any KeyPath<Context, String> & Sendable, hashing: RolloutHashing = .plug
  ) -> Self {
    let share = StoredProperty(percentage)
    return rollout(propertyName(percentage), of: name, by: identifier, hashing: hashing) { context, _ in share(context)
    }
  }

  /// Satisfied for a percentage of all identifiers that the context says, if it says one; indeterminate if it is `nil`.
  ///
  /// ```swift
  /// .rollout(\.percentages["one-click"], of: "one-click", by: \.id)
  /// ```
  ///
  /// - Parameters:
  ///   - percentage: The property of the context with the percentage, in 0 ... 100.
  ///   - name: The name of what is rolled out.
  ///   - identifier: The property of the context that identifies it.
  ///   - hashing: How the bucket is found.
  public static func rollout(
    _ percentage: any KeyPath<Context, Double?> & Sendable, of name: String,
    by identifier: any KeyPath<Context, String> & Sendable, hashing: RolloutHashing = .plug
  ) -> Self {
    let property = propertyName(percentage)
    let share = StoredProperty(percentage)
    return rollout(property, of: name, by: identifier, hashing: hashing) { context, _ in
      guard let share = share(context) else { throw RuleFailure(missing: property) }
      return share
    }
  }

  /// A rollout whose share is found for each choice.
  ///
  /// - Parameter share: What says the percentage, for explanations.
  @usableFromInline
  package static func rollout(
    _ share: String, of name: String, by identifier: any KeyPath<Context, String> & Sendable, hashing: RolloutHashing,
    about subject: (any Any.Type)? = nil, _ percentage: @escaping @Sendable (Context, Injector) throws -> Double
  ) -> Self {
    let (buckets, value) = (Buckets(of: name, hashing), StoredProperty(identifier))
    return Rule(
      "rollout \(share) of \(quoted(name)) by \(propertyName(identifier))",
      { try buckets.admit(value($0), to: percentage($0, $1)) }, about: subject,
      seeing: { buckets.operand(of: value($0), share: try percentage($0, $1)) })
  }

  /// Satisfied for the identifiers whose bucket lies in a range: for experiments that exclude each other.
  ///
  /// ```swift
  /// .slot(0..<20, of: "checkout-experiments", by: \.id)   // one experiment
  /// .slot(20..<50, of: "checkout-experiments", by: \.id)  // another: nobody is in both
  /// ```
  ///
  /// - Parameters:
  ///   - range: The buckets, in 0 ..< 100. A range that is not within makes the rule indeterminate.
  ///   - name: The name that the experiments share.
  ///   - identifier: The property of the context that identifies it.
  public static func slot(
    _ range: Range<Double>, of name: String, by identifier: any KeyPath<Context, String> & Sendable
  ) -> Self {
    let (buckets, value) = (Buckets(of: name, .plug), StoredProperty(identifier))
    let text = "\(shortest(range.lowerBound))..<\(shortest(range.upperBound))"
    return Rule(
      "slot \(text) of \(quoted(name)) by \(propertyName(identifier))", about: value.subjects,
      {
        guard range.lowerBound >= 0, range.upperBound <= 100 else {
          throw RuleFailure("\(text) is not a range in 0..<100")
        }
        return range.contains(buckets[value($0)])
      }, seeing: { buckets.operand(of: value($0)) })
  }
}

/// Finds the buckets of what one name divides.
private struct Buckets: Sendable {
  private let prefix: MurmurHash3
  private let hashing: RolloutHashing

  init(of name: String, _ hashing: RolloutHashing) {
    self.hashing = hashing
    prefix = hashing.prefix(name)
  }

  subscript(identifier: String) -> Double { hashing.bucket(of: identifier, after: prefix) }

  /// Whether the bucket is among the first so many percent.
  func admit(_ identifier: String, to percentage: Double) throws -> Bool {
    guard percentage >= 0, percentage <= 100 else {
      throw RuleFailure("\(shortest(percentage)) is not a percentage in 0...100")
    }
    return hashing.admits(self[identifier], percentage)
  }

  func operand(of identifier: String, share: Double? = nil) -> Operand {
    let bucket = self[identifier]
    var text = "\(quoted(identifier)) in bucket \(decimal(bucket))"
    var value: [String: RuleTrace.Value] = ["identifier": .string(identifier), "bucket": .number(bucket)]
    if let share {
      text += ", share \(shortest(share))%"
      value["share"] = RuleTrace.Value(share)
    }
    return Operand(text: text, value: .object(value))
  }
}
