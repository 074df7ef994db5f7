public import Foundation

extension FlagDocument {
  /// Writes the document as JSON, with everything that was read.
  ///
  /// A document that is merged from several sources contains only flags that are used, with evaluators inlined.
  ///
  /// - Parameter isIndented: Whether each member has a line of its own, with two more spaces for each level.
  /// - Returns: A string that reads as an equal document.
  /// - Complexity: O(*n*) for *n* bytes.
  public func json(isIndented: Bool = true) -> String {
    JSONWriter.text(of: contents.json, isIndented: isIndented)
  }

  /// Writes the document as JSON in UTF-8.
  ///
  /// - Parameter isIndented: Whether each member has a line of its own.
  /// - Returns: A string that reads as an equal document.
  public func data(isIndented: Bool = true) -> Data {
    Data(json(isIndented: isIndented).utf8)
  }
}

extension FlagDocument: CustomStringConvertible {
  /// The document as JSON in several lines.
  public var description: String { json() }
}
