extension Rule {
  /// Satisfied for a fixed percentage of all identifiers, and always for the same ones.
  ///
  /// ```swift
  /// Candidate("semantic") { SemanticSearch() }
  ///   .when(.rollout(25, of: "semantic", by: \.id))
  /// ```
  ///
  /// The name and the identifier are hashed into a bucket in 0 ..< 100, and the rule is satisfied if the bucket is less
  /// than `percentage`. An identifier that is included at 10 % is therefore still included at 25 %. At 0 the rule
  /// includes none, and at 100 all identifiers. Rollouts with different names select independently of each other.
  ///
  /// The rule is indeterminate for an empty identifier, and for one that is `nil`. Otherwise all visitors without an
  /// identifier would be in one bucket, and be included or excluded together.
  ///
  /// - Parameters:
  ///   - percentage: The percentage, in 0 ... 100. Any other value makes the rule indeterminate, so that it includes
  ///     none.
  ///   - name: The name of the rollout.
  ///   - identifier: The property of the context with the identifier, such as the id of an account: a string, a number
  ///     or a UUID, which may be optional. Its description is hashed.
  ///   - hashing: The hashing that assigns identifiers to buckets.
  public static func rollout<ID: Comparable & CustomStringConvertible & Sendable>(
    _ percentage: Double, of name: String, by identifier: any KeyPath<Context, ID> & Sendable,
    hashing: RolloutHashing = .plug
  ) -> Self { rollout(percentage, of: name, by: Identity(identifier), hashing) }

  /// Satisfied for a fixed percentage of all identifiers; indeterminate for one that is `nil`.
  @_documentation(visibility: internal)
  public static func rollout<ID: Comparable & CustomStringConvertible & Sendable>(
    _ percentage: Double, of name: String, by identifier: any KeyPath<Context, ID?> & Sendable,
    hashing: RolloutHashing = .plug
  ) -> Self { rollout(percentage, of: name, by: Identity(identifier), hashing) }

  private static func rollout(
    _ percentage: Double, of name: String, by identity: Identity<Context>, _ hashing: RolloutHashing
  ) -> Self {
    bucket("rollout \(shortest(percentage))%", of: name, by: identity, hashing) { bucket, _, _ in
      try hashing.admits(bucket, percentage)
    }
  }

  /// A rollout whose share is found for each choice.
  ///
  /// - Parameter share: The source of the percentage. Explanations show the percentage beside it.
  package static func rollout(
    _ share: String, of name: String, by identity: Identity<Context>, hashing: RolloutHashing,
    _ percentage: @escaping @Sendable (Context, Injector) throws -> Double
  ) -> Self {
    bucket("rollout \(share)", of: name, by: identity, hashing, share: percentage) {
      try hashing.admits($0, percentage($1, $2))
    }
  }

  /// Satisfied for identifiers whose bucket is in a range. Use it for mutually exclusive experiments.
  ///
  /// ```swift
  /// .slot(0..<20, of: "checkout-experiments", by: \.id)   // one experiment
  /// .slot(20..<50, of: "checkout-experiments", by: \.id)  // another: nobody is in both
  /// ```
  ///
  /// - Parameters:
  ///   - range: The buckets, within 0 ..< 100. Any other range makes the rule indeterminate.
  ///   - name: The name that the exclusive experiments share.
  ///   - identifier: The property of the context with the identifier. For an empty one, and for `nil`, the rule is
  ///     indeterminate.
  public static func slot<ID: Comparable & CustomStringConvertible & Sendable>(
    _ range: Range<Double>, of name: String, by identifier: any KeyPath<Context, ID> & Sendable
  ) -> Self { slot(range, of: name, by: Identity(identifier)) }

  /// Satisfied for identifiers whose bucket is in a range; indeterminate for one that is `nil`.
  @_documentation(visibility: internal)
  public static func slot<ID: Comparable & CustomStringConvertible & Sendable>(
    _ range: Range<Double>, of name: String, by identifier: any KeyPath<Context, ID?> & Sendable
  ) -> Self { slot(range, of: name, by: Identity(identifier)) }

  private static func slot(_ range: Range<Double>, of name: String, by identifier: Identity<Context>) -> Self {
    let text = "\(shortest(range.lowerBound))..<\(shortest(range.upperBound))"
    return bucket("slot \(text)", of: name, by: identifier) { bucket, _, _ in
      guard range.lowerBound >= 0, range.upperBound <= 100 else {
        throw RuleFailure("\(text) is not a range in 0..<100")
      }
      return range.contains(bucket)
    }
  }

  /// A condition on the bucket of an identifier.
  ///
  /// - Parameters:
  ///   - what: The statement about the name.
  ///   - share: The percentage that explanations show, if the name of the rule does not contain it.
  private static func bucket(
    _ what: String, of name: String, by identity: Identity<Context>, _ hashing: RolloutHashing = .plug,
    share: (@Sendable (Context, Injector) throws -> Double)? = nil,
    _ admits: @escaping @Sendable (Double, Context, Injector) throws -> Bool
  ) -> Self {
    let (prefix, property) = (hashing.prefix(name), propertyName(identity.property))
    return Rule(
      "\(what) of \(quoted(name)) by \(property)",
      testing: { context, injector in
        try context.open(as: Context.self) { context in
          guard let text = identity.value(context) else { throw RuleFailure(missing: property) }
          if text.isEmpty { throw RuleFailure("\(property) is empty") }
          return try admits(hashing.bucket(of: text, after: prefix), context, injector)
        }
      }, RuleCondition.Traits(property: identity.property, isShare: true),
      seeing: { context, injector in
        guard let identifier = identity.value(context) else { return Operand(String?.none) }
        let bucket = hashing.bucket(of: identifier, after: prefix)
        let share = try share?(context, injector)
        let other = hashing == .plug ? nil : "\(hashing)"
        return Operand(
          text: "\(quoted(identifier)) in bucket \(decimal(bucket))" + (other.map { " of \($0)" } ?? "")
            + (share.map { ", share \(shortest($0))%" } ?? ""),
          value: RuleTrace.Value(members: [
            "identifier": .string(identifier), "bucket": .number(bucket), "hashing": other.map { .string($0) },
            "share": share.map { RuleTrace.Value($0) },
          ]))
      })
  }
}

// Unavailable overloads, with which the compiler explains a likely mistake and its fix. `Tests/Refused` shows each one.
extension Rule {
  /// Refuses a rollout without an identifier.
  @available(*, unavailable, message: "a rollout needs an identifier: .rollout(25, of: \"name\", by: \\.id)")
  public static func rollout(_ percentage: Double, of name: String) -> Self { fatalError() }
}

/// The hashing that assigns identifiers to the buckets of a rollout. Choose the one that the other services of a fleet
/// use.
///
/// ```swift
/// .rollout(25, of: "one-click", by: \.id, hashing: .flagd)
/// RolloutHashing.flagd.bucket(of: "p-17", in: "one-click")
/// ```
///
/// All hashings use MurmurHash3 (x86, 32 bit, seed 0) of UTF-8 bytes. Their results are the same on every platform and
/// in every version of this library. ``plug`` first converts an identifier to Unicode's normalization form C, so that
/// equal strings have the same bucket. The others hash the bytes as they are.
public enum RolloutHashing: Sendable, Hashable {
  /// Plug's own hashing: the hash of `name:identifier`, as a fraction of 2³² in percent.
  case plug

  /// The hashing of flagd's `fractional` operator with its default bucketing value: the hash of the name followed by
  /// the identifier, as a fraction of 2³² in percent. At a whole percentage, the rollout includes the identifiers to
  /// which flagd assigns the first of two variants with the weights `percentage` and `100 - percentage`. Older
  /// evaluators, which divide the hash as a signed number, compute other buckets.
  case flagd

  /// The hashing of the third version of flagd's `fractional` operator, which hashes the name and the identifier as an
  /// array in deterministic CBOR (flagd's decision "Harden Hashing Consistency", accepted in 2025). Its buckets differ
  /// from those of ``flagd``.
  case flagdV3

  /// The hashing of Unleash's gradual rollout, whose group id is the name: the hash of `name:identifier` modulo 100,
  /// plus 1.
  case unleash

  /// Returns the bucket of an identifier.
  ///
  /// - Parameters:
  ///   - identifier: The identifier, such as the id of an account.
  ///   - name: The name of the rollout.
  /// - Returns: A number in 0 ..< 100; for ``unleash`` a whole number in 1 ... 100.
  /// - Complexity: O(*n*) for *n* bytes.
  public func bucket(of identifier: String, in name: String) -> Double {
    bucket(of: identifier, after: prefix(name))
  }

  /// The hash of the bytes before the identifier.
  package func prefix(_ name: String) -> MurmurHash3 {
    var hash = MurmurHash3()
    switch self {
    case .flagd: hash.combine(name)
    case .flagdV3:
      hash.combine(major: 4, 2)
      hash.combine(cbor: name)
    case .plug, .unleash:
      hash.combine(name)
      hash.combine(":")
    }
    return hash
  }

  func bucket(of identifier: String, after prefix: MurmurHash3) -> Double {
    let value = hash(of: identifier, after: prefix)
    return self == .unleash ? Double(value % 100 + 1) : Double(value) / 0x1p32 * 100
  }

  package func hash(of identifier: String, after prefix: MurmurHash3) -> UInt32 {
    var hash = prefix
    switch self {
    case .plug: hash.combine(identifier.normalized)
    case .flagd, .unleash: hash.combine(identifier)
    case .flagdV3: hash.combine(cbor: identifier)
    }
    return hash.finalize()
  }

  /// Whether a bucket is within a percentage.
  func admits(_ bucket: Double, _ percentage: Double) throws -> Bool {
    guard percentage >= 0, percentage <= 100 else {
      throw RuleFailure("\(shortest(percentage)) is not a percentage in 0...100")
    }
    return self == .unleash ? bucket <= percentage : bucket < percentage
  }
}
