/// A place in source code.
public struct CodeLocation: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The module and the file, as `#fileID` gives them: `Module/File.swift`.
  public let fileID: String

  /// The line, counted from 1.
  public let line: Int

  /// Creates a location.
  public init(fileID: String, line: Int) {
    self.fileID = fileID
    self.line = line
  }

  /// The location as `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}
