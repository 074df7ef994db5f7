public import Plug

/// A service was used that a test has not prepared, see ``Plug/Injection/unimplemented(_:fileID:filePath:line:)``.
public struct Unimplemented: Error, Sendable, Hashable, CustomStringConvertible {
  /// What it would have been.
  public let name: String

  /// What was asked for, from the outermost request to this one.
  public let chain: [String]

  /// Where it is said that it is not implemented.
  public let declaredAt: CodeLocation

  /// The headline, the facts and what to do, in several lines.
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
  /// Stands for a service that a test must not use: each use is an issue of the test, and throws
  /// ``PlugTesting/Unimplemented``.
  ///
  /// ```swift
  /// try services.override(as: Payments.self, injectable: .unimplemented("payments"))
  /// ```
  public static func unimplemented(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) -> Self {
    let place = TestLocation(fileID: fileID, filePath: filePath, line: line)
    return .factory { () throws in throw recordUse(of: name, declaredAt: place) }
  }

  /// Stands for a service that a test must not use: each use is an issue of the test, and gives a placeholder.
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

  @discardableResult
  private static func recordUse(of name: String, declaredAt place: TestLocation) -> Unimplemented {
    let use = Unimplemented(name: name, chain: Injector.chain, declaredAt: place.location)
    recordIssue(use.description, at: place)
    return use
  }
}
