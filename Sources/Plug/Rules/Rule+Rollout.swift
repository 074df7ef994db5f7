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
  /// The bucket is MurmurHash3 (x86, 32 bit, seed 0) of the UTF-8 bytes of `name:identifier`, divided by 2³² and
  /// multiplied by
  /// 100. It is the same on every platform, and in every version of this library.
  ///
  /// - Parameters:
  ///   - percentage: The percentage, in 0 ... 100. Any other value makes the rule indeterminate, so that it admits
  ///     none.
  ///   - name: The name of what is rolled out.
  ///   - identifier: The property of the context that identifies it, such as the id of an account.
  public static func rollout(
    _ percentage: Double, of name: String, by identifier: any KeyPath<Context, String> & Sendable
  ) -> Self {
    var prefix = MurmurHash3()
    prefix.combine(name)
    prefix.combine(":")
    let hash = prefix
    let text = StoredProperty(identifier)
    return Rule(
      "rollout \(shortest(percentage))% of \(quoted(name)) by \(propertyName(identifier))",
      {
        guard (0...100).contains(percentage) else { throw InvalidPercentage(percentage: percentage) }
        return bucket(of: text($0), after: hash) < percentage
      },
      seeing: { "\(quoted(text($0))) in bucket \(decimal(bucket(of: text($0), after: hash)))" })
  }

  /// The bucket of an identifier, in 0 ..< 100.
  private static func bucket(of identifier: String, after prefix: MurmurHash3) -> Double {
    var hash = prefix
    hash.combine(identifier)
    return Double(hash.finalize()) / 0x1p32 * 100
  }
}

/// The reason why a rollout with a percentage outside of 0 ... 100 is indeterminate.
struct InvalidPercentage: Error, CustomStringConvertible {
  let percentage: Double
  var description: String { "\(shortest(percentage)) is not a percentage in 0...100" }
}

/// The shortest text for the number, without `.0`: what the code says.
private func shortest(_ value: Double) -> String {
  let text = "\(value)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// The bucket with at most two decimals, rounded down, so that it never appears to be one it has not reached.
private func decimal(_ bucket: Double) -> String {
  let (whole, rest) = Int((bucket * 100).rounded(.down)).quotientAndRemainder(dividingBy: 100)
  return rest == 0 ? "\(whole)" : "\(whole)." + (rest < 10 ? "0" : "") + "\(rest)"
}
