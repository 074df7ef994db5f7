/// A location in source code.
///
/// Diagnostics use it to show where something was registered or requested.
public struct CodeLocation: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The module and the file as given by `#fileID`: `Module/File.swift`.
  public let fileID: String

  /// The line, counted from 1.
  public let line: Int

  /// Creates a location.
  ///
  /// - Parameters:
  ///   - fileID: The module and the file, as given by `#fileID`.
  ///   - line: The line, counted from 1.
  public init(fileID: String, line: Int) {
    self.fileID = fileID
    self.line = line
  }

  /// The location as `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}
