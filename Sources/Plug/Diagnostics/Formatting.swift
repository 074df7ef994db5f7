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
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
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

/// The indices of some texts, in the alphabetical order of the texts.
@inline(never)
func alphabeticalOrder(of texts: [String]) -> [Int] { texts.indices.sorted { texts[$0] < texts[$1] } }

extension String {
  /// The text with every line indented.
  ///
  /// - Parameter isHanging: Whether the first line is not indented.
  @inline(never)
  package func indented(by columns: Int, isHanging: Bool = false) -> String {
    var lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let margin = String(repeating: " ", count: columns)
    for line in lines.indices.dropFirst(isHanging ? 1 : 0) where !lines[line].isEmpty {
      lines[line] = margin + lines[line]
    }
    return lines.joined(separator: "\n")
  }

  /// The text with each name in angle brackets replaced.
  @inline(never)
  func filled(_ replacement: (String) -> String) -> String {
    var (text, isName) = ("", false)
    for part in split(omittingEmptySubsequences: false, whereSeparator: { $0 == "<" || $0 == ">" }) {
      text += isName ? replacement(String(part)) : String(part)
      isName.toggle()
    }
    return text
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
  /// The distinct texts, in alphabetical order.
  @inline(never)
  package var distinct: [String] {
    var texts: [String] = []
    for text in sorted() where text != texts.last { texts.append(text) }
    return texts
  }
}
