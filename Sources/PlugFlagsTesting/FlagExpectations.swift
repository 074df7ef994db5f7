public import Plug
public import PlugFlags
import PlugTesting

/// Expects that a program and its flag document have the same flags, and records an issue with all flags that only one
/// of them has.
///
/// ```swift
/// @Test(.isolated) func flagsAreKnown() throws {
///   let document = try FlagDocument(contentsOfFile: "flags.json")
///   expectFlagsKnown(
///     document, in: Injector[.services], keys: .searchLimit, .banner)
/// }
/// ```
///
/// A program names flags in the rules of its registrations, such as `.flag("checkout")`, in points that a flag decides,
/// and in keys, which you pass here. Points that are not registered in the injector are not checked.
///
/// - Parameters:
///   - document: The document.
///   - injector: The injector or scope. The rules that a scope inherits are included.
///   - keys: The flags that the program reads directly.
///   - fileID: The file of the call, for diagnostics.
///   - filePath: The path of that file.
///   - line: The line of the call.
public func expectFlagsKnown<each Value>(
  _ document: FlagDocument, in injector: Injector, keys: repeat FlagKey<each Value>,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) {
  var names: [String] = []
  for key in repeat each keys { names.append(key.name) }
  let differences = FlagComparison(of: document, to: injector, keys: names).differences
  if differences.isEmpty { return }
  recordIssue(
    """
    The program and its flag document do not know the same flags.
    \(differences.map { "  - \($0)" }.joined(separator: "\n"))
    To fix this:
      - Correct the name, or add the flag to the document.
      - Remove a flag that nothing names from the document, or pass its FlagKey here.
    """, at: TestLocation(fileID: fileID, filePath: filePath, line: line))
}
