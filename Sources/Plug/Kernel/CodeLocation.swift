/// A location in source code.
///
/// Diagnostics show where a service was registered or requested.
public struct CodeLocation: Sendable, Hashable, CustomStringConvertible {
  /// The module and the file as given by `#fileID`: `Module/File.swift`.
  public let fileID: String

  /// The line, counted from 1.
  public let line: Int

  /// The ``InjectorModule`` that has registered the service; `nil` if none has.
  package let module: String?

  package init(fileID: String, line: Int, module: String? = nil) {
    self.fileID = fileID
    self.line = line
    self.module = module
  }

  /// The location as `Module/File.swift:12`, and the module: `App/Search.swift:12 (SearchModule)`.
  public var description: String { "\(fileID):\(line)\(module.map { " (\($0))" } ?? "")" }
}

extension CodeLocation {
  /// The location of an instance that the program does not register, such as the value of a property.
  static let unknown = CodeLocation(fileID: "", line: 0)
}
