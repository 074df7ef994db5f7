import Foundation
import PlugFlags

extension FlagDocument {
  /// The built-in flags.
  static func embedded() throws(InvalidFlags) -> FlagDocument {
    try FlagDocument(Data(PackageResources.flags_json), ofFile: "flags.json")
  }

  /// Reads a document, which must have no problems.
  ///
  /// - Parameter file: The name of the file in error messages.
  init(_ contents: Data, ofFile file: String) throws(InvalidFlags) {
    do throws(FlagDocumentError) {
      try self.init(contents)
    } catch {
      throw InvalidFlags(file: file, problems: [error.description])
    }
    if !problems.isEmpty { throw InvalidFlags(file: file, problems: problems.map(\.description)) }
  }
}

/// The reason why the shop cannot use a flag document.
struct InvalidFlags: Error, Equatable {
  let file: String
  let problems: [String]
}

extension InvalidFlags: CustomStringConvertible {
  /// The file, followed by a line for each problem with its JSON path.
  var description: String {
    let lines = problems.flatMap { $0.split(separator: "\n") }
    return "\(file) is not a valid flag document:\n" + lines.map { "  \($0)" }.joined(separator: "\n")
  }
}
