/// The shortest text for the number, without `.0`, as in source code.
package func shortest(_ value: Double) -> String {
  let text = "\(value)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// The bucket with at most two decimals, rounded down, so that it never appears to be one it has not reached.
package func decimal(_ bucket: Double) -> String {
  // Larger than any bucket, and than 32 bits can hold.
  guard abs(bucket) < 1e7 else { return shortest(bucket) }
  let (whole, rest) = Int((bucket * 100).rounded(.down)).quotientAndRemainder(dividingBy: 100)
  return rest == 0 ? "\(whole)" : "\(whole)." + (rest < 10 ? "0" : "") + "\(rest)"
}

/// The value as it would appear in source code, as far as its description allows: strings are quoted and escaped.
package func quoted(_ value: some Any) -> String {
  if let optional = value as? any OptionalValue { return optional.wrapped.map { quoted($0) } ?? "nil" }
  return (value as? String)?.debugDescription ?? "\(value)"
}

/// An optional whose wrapped type is unknown.
protocol OptionalValue {
  static var wrappedType: any Any.Type { get }
  static var absent: Self { get }
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  static var wrappedType: any Any.Type { Wrapped.self }
  static var absent: Self { nil }
  var wrapped: Any? { map { $0 } }
}

/// The properties a key path leads through, without the root type: `address.country`.
///
/// If the name of a computed property is unknown at run time, its type is shown instead: `<computed (Bool)>`.
func propertyName(_ property: AnyKeyPath) -> String {
  let path = "\(property)"
  let name = path.firstIndex(of: ".").map { path[path.index(after: $0)...] } ?? path[...]
  // The address of a getter differs from run to run.
  let parts = name.split(separator: "<computed 0x", omittingEmptySubsequences: false)
  return parts.dropFirst().reduce(String(parts[0])) { $0 + "<computed" + $1.drop(while: \.isHexDigit) }
}

/// Sorts indices. Every sort of the module calls it, because each specialized sort adds 4 kB to a program.
@inline(never)
func sorted(_ indices: [Int], _ isBefore: (Int, Int) -> Bool) -> [Int] { indices.sorted(by: isBefore) }

/// The indices of the given strings, in the alphabetical order of the strings.
@inline(never)
func alphabeticalOrder(of texts: [String]) -> [Int] { sorted(Array(texts.indices)) { texts[$0] < texts[$1] } }

extension String {
  /// The text with every line indented.
  ///
  /// - Parameter isHanging: Whether the first line, which is not empty, stays where it is.
  @inline(never)
  package func indented(by columns: Int, isHanging: Bool = false) -> String {
    let margin = String(repeating: " ", count: columns)
    let lines = split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : margin + $0 }
    return String(lines.joined(separator: "\n").dropFirst(isHanging ? columns : 0))
  }
}

/// Traps with a diagnostic at the location of the failed call.
package func trap(_ headline: String, _ error: any Error, _ fileID: StaticString, _ line: UInt) -> Never {
  fatalError("\(headline)\n\(error)", file: fileID, line: line)
}

/// Returns the result of a closure, or traps with a diagnostic if it throws.
func orTrap<Value>(
  _ headline: @autoclosure () -> String, _ fileID: StaticString, _ line: UInt,
  _ body: () throws(InjectorError) -> Value
) -> Value {
  do throws(InjectorError) {
    return try body()
  } catch {
    trap(headline(), error, fileID, line)
  }
}

extension [String] {
  /// The strings in alphabetical order.
  var alphabetical: [String] { alphabeticalOrder(of: self).map { self[$0] } }

  /// The distinct strings, in alphabetical order.
  var distinct: [String] { Array(Set(self)).alphabetical }
}
