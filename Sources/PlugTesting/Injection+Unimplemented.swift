public import Plug

/// The error for a use of a service that the test has not implemented.
///
/// An injection made with `Injection.unimplemented(_:fileID:filePath:line:)` throws it.
public struct Unimplemented: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name given to the injection.
  public let name: String

  /// The requests that led to the use, from the outermost to this one.
  public let chain: [String]

  /// Where the service is declared as unimplemented.
  public let declaredAt: CodeLocation

  /// The headline, the facts and a fix, in several lines.
  public var description: String {
    """
    \(name) was used, but is unimplemented in this test.
      chain:          \(chain.joined(separator: " → "))
      declared at:    \(declaredAt)
    To fix this:
      - Override it with what the test needs.
      - Or follow the chain to find out why it is used.
    """
  }
}

extension Injection {
  /// Returns an injection of a service that a test must not use: each use records an issue and throws
  /// ``PlugTesting/Unimplemented``.
  ///
  /// ```swift
  /// try services.override(
  ///   Payments.self, .unimplemented("payments"))
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the service in the issue.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  /// - Returns: The injection.
  public static func unimplemented(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) -> Self {
    let place = TestLocation(fileID: fileID, filePath: filePath, line: line)
    return .factory { () throws in throw recordUse(of: name, declaredAt: place) }
  }

  /// Returns an injection of a service that a test must not use: each use records an issue and returns a placeholder.
  ///
  /// Use it if the code under test would trap on an error, for example in a property wrapper.
  ///
  /// - Parameters:
  ///   - name: The name of the service in the issue.
  ///   - placeholder: The instance that each use gets. It is evaluated for each use.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  /// - Returns: The injection.
  public static func unimplemented(
    _ name: String, placeholder: @autoclosure @escaping @Sendable () -> Service,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) -> Self {
    let place = TestLocation(fileID: fileID, filePath: filePath, line: line)
    return .factory {
      recordUse(of: name, declaredAt: place)
      return placeholder()
    }
  }

  /// Records an issue about a use, with the calling thread's chain of requests.
  @discardableResult
  private static func recordUse(of name: String, declaredAt place: TestLocation) -> Unimplemented {
    let use = Unimplemented(name: name, chain: Injector.chain, declaredAt: place.location)
    recordIssue(use.description, at: place)
    return use
  }
}
