public import Foundation

/// Flags in flagd's format (flagd.dev, flag definitions, schema v0), ready to be evaluated.
///
/// ```swift
/// let document = try FlagDocument(contentsOfFile: "flags.json")
/// for problem in document.problems { print(problem) }
/// document.evaluate(FlagKey("new-checkout", default: false), in: shopper).value
/// ```
///
/// Targeting is compiled when the document is read. An invalid flag does not affect the others: it is listed in
/// ``problems``, and its evaluations are errors.
///
/// `flags` is an object, or an array of flags, each with its `key`. An array may have several sets, which the
/// `flagSetId` in the metadata of the flags tells apart, and a key once in each. ``flagSet(_:)`` returns one of them.
/// In the whole document, the last valid flag with a key is used.
///
/// A document is a value that can be used on any thread. Copies share their contents.
public struct FlagDocument: Sendable {
  let contents: FlagDocumentContents
  /// The attributes under those of each context, if an injector evaluates the document.
  var global: FlagAttributes?

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - text: A JSON text.
  ///   - version: How `fractional` hashes.
  /// - Throws: ``FlagDocumentError`` if the string is not JSON, or has no `flags`.
  /// - Complexity: O(*n*) for *n* bytes.
  public init(_ text: String, fractional version: FractionalVersion = .v2) throws(FlagDocumentError) {
    try self.init(bytes: Array(text.utf8), fractional: version)
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - data: A JSON text in UTF-8.
  ///   - version: How `fractional` hashes.
  /// - Throws: ``FlagDocumentError`` if the string is not JSON, or has no `flags`.
  /// - Complexity: O(*n*) for *n* bytes.
  public init(_ data: Data, fractional version: FractionalVersion = .v2) throws(FlagDocumentError) {
    try self.init(bytes: Array(data), fractional: version)
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: A JSON text in UTF-8.
  ///   - version: How `fractional` hashes.
  /// - Throws: ``FlagDocumentError`` if the string is not JSON, or has no `flags`.
  /// - Complexity: O(*n*) for *n* bytes.
  public init(bytes: [UInt8], fractional version: FractionalVersion = .v2) throws(FlagDocumentError) {
    let json: (value: JSON, notes: [FlagProblem])
    do { json = try JSONReader.read(bytes) } catch { throw .notJSON(error) }
    guard case .object = json.value else { throw .noFlags(problem: json.value.mismatch("the text", "an object")) }
    guard let flags = json.value["flags"] else { throw .noFlags(problem: "\"flags\" is missing") }
    var reader = FlagReader(json.value, json.notes, version)
    let (read, isArray): ([Flag], Bool)
    switch flags {
    case .object(let members): (read, isArray) = (reader.readFlags(members), false)
    case .array(let elements): (read, isArray) = (reader.readFlags(elements), true)
    default: throw .noFlags(problem: flags.mismatch("\"flags\"", "an object or an array"))
    }
    contents = FlagDocumentContents(
      json: json.value, flags: isArray ? read.merged : read, of: isArray ? read : nil, metadata: reader.metadata,
      problems: reader.problems)
  }

  /// Reads a document from a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - version: How `fractional` hashes.
  /// - Throws: ``FlagDocumentError`` if the file cannot be read, is not JSON, or has no `flags`.
  /// - Complexity: O(*n*) for *n* bytes.
  public init(
    contentsOfFile path: String, fractional version: FractionalVersion = .v2
  ) throws(FlagDocumentError) {
    try self.init(Self.data(ofFile: path), fractional: version)
  }

  static func data(ofFile path: String) throws(FlagDocumentError) -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw FlagDocumentError(path: path, error)
    }
  }

  init(contents: FlagDocumentContents, global: FlagAttributes? = nil) {
    (self.contents, self.global) = (contents, global)
  }

  /// All mistakes in the document: first the mistakes outside of flags, then each flag's in the order of the document.
  public var problems: [FlagProblem] { contents.problems }

  /// The keys of all flags, in the order of the document.
  public var keys: [String] { contents.flags.names }

  /// The metadata of the document. Each evaluation has it, merged with the metadata of its flag.
  public var metadata: [String: FlagValue] { contents.metadata }

  /// The flag with a key.
  ///
  /// - Returns: `nil` if the document has no such flag.
  public subscript(key: String) -> Flag? { contents.flags[key] }
}

extension FlagDocument: Equatable {
  /// Returns whether both documents are equal as JSON. The comparison ignores white space and the notation of numbers,
  /// but not the order of members, nor the version of `fractional`.
  public static func == (first: Self, second: Self) -> Bool {
    if first.contents === second.contents { return true }
    return first.contents.json == second.contents.json
      && zip(first.contents.flags.elements, second.contents.flags.elements).allSatisfy { $0.version == $1.version }
  }
}

/// The contents that the copies of a document share.
final class FlagDocumentContents: Sendable {
  let json: JSON
  let flags: NameTable<Flag>
  /// The flags of all sets, if the document lists them in an array.
  let sets: [Flag]?
  let metadata: [String: FlagValue]
  let problems: [FlagProblem]

  /// The documents that an injector has merged into this one, with the names of their sources.
  let origins: [FlagOrigin]

  init(
    json: JSON, flags: [Flag], of sets: [Flag]? = nil, metadata: [String: FlagValue], problems: [FlagProblem],
    origins: [FlagOrigin] = []
  ) {
    (self.json, self.metadata, self.problems, self.origins) = (json, metadata, problems, origins)
    self.flags = NameTable(flags, name: \.key)
    self.sets = sets
  }
}
