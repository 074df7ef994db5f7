extension Rule {
  /// Satisfied for a fixed share of all identifiers, always the same ones.
  ///
  /// The identifier and the name of what is rolled out are hashed into a bucket in 0 ..< 100; the rule is satisfied if
  /// the bucket is less than `percentage`. So whoever is in at 10 % stays in at 25 %, 0 admits nobody, 100 everybody,
  /// and two names choose independently of each other. The bucket is murmur3 (x86, 32 bit, seed 0) of the UTF-8 bytes
  /// of `name:identifier`, divided by 2³² and multiplied by 100.
  ///
  /// - Parameters:
  ///   - percentage: The share, in 0 ... 100. Outside of it the outcome is indeterminate, so that nobody is let in.
  ///   - name: What is rolled out.
  ///   - identifier: The property that identifies whoever it is rolled out to.
  public static func rollout(
    _ percentage: Double, of name: String, by identifier: any KeyPath<Context, String> & Sendable
  ) -> Self {
    var prefix = MurmurHash3()
    prefix.combine(name)
    prefix.combine(":")
    let hash = prefix
    return Rule(
      .condition(
        Condition(
          name: "rollout \(shortest(percentage))% of \(quoted(name)) by \(propertyName(identifier))",
          test: {
            guard (0...100).contains(percentage) else { throw InvalidPercentage(percentage: percentage) }
            return bucket(of: $0[keyPath: identifier], after: hash) < percentage
          },
          operand: {
            let value = $0[keyPath: identifier]
            return "\(quoted(value)) in bucket \(decimal(bucket(of: value, after: hash)))"
          }
        )))
  }

  private static func bucket(of identifier: String, after prefix: MurmurHash3) -> Double {
    var hash = prefix
    hash.combine(identifier)
    return Double(hash.finalize()) / 0x1p32 * 100
  }
}

struct InvalidPercentage: Error, CustomStringConvertible {
  let percentage: Double
  var description: String { "\(shortest(percentage)) is not a percentage in 0...100" }
}

/// The shortest text that denotes the number, without `.0`: what was written in the code.
private func shortest(_ value: Double) -> String {
  let text = "\(value)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// At most two digits after the point, rounded down: a bucket is never shown as one that it has not reached.
private func decimal(_ bucket: Double) -> String {
  let (whole, rest) = Int((bucket * 100).rounded(.down)).quotientAndRemainder(dividingBy: 100)
  return rest == 0 ? "\(whole)" : "\(whole)." + (rest < 10 ? "0" : "") + "\(rest)"
}
