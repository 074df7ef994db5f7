public import Foundation
public import Plug
import Synchronization

/// Reads and writes files.
///
/// ```swift
/// let data = try services.files.read("settings.json")
/// services.files = .inMemory(["settings.json": Data("{}".utf8)])
/// ```
public struct FileAccess: Feature {
  private let readFile: @Sendable (_ path: String) throws -> Data?
  private let writeFile: @Sendable (_ path: String, Data?) throws -> Void

  /// Creates an access of your own.
  ///
  /// - Parameters:
  ///   - read: Gives the contents of the file at a path; `nil` if there is none.
  ///   - write: Replaces the file at a path; `nil` removes it, if there is one.
  public init(
    read: @escaping @Sendable (_ path: String) throws -> Data?,
    write: @escaping @Sendable (_ path: String, Data?) throws -> Void
  ) {
    readFile = read
    writeFile = write
  }

  /// Reads a file.
  ///
  /// - Throws: ``FileNotFound`` if there is none; what the system throws if it cannot be read.
  public func read(_ path: String) throws -> Data {
    guard let data = try readFile(path) else { throw FileNotFound(path: path) }
    return data
  }

  /// Writes a file, all of it or nothing; one that is there is replaced.
  ///
  /// - Throws: What the system throws.
  public func write(_ data: Data, to path: String) throws {
    try writeFile(path, data)
  }

  /// Removes a file.
  ///
  /// - Throws: ``FileNotFound`` if there is none; what the system throws if it cannot be removed.
  public func remove(_ path: String) throws {
    _ = try read(path)
    try writeFile(path, nil)
  }

  /// Whether there is a file that can be read.
  public func exists(_ path: String) -> Bool {
    (try? readFile(path)) != nil
  }

  /// The files of the system.
  public static let system = FileAccess(
    read: { path in
      do {
        return try Data(contentsOf: URL(fileURLWithPath: path))
      } catch  where !FileManager.default.fileExists(atPath: path) {
        return nil
      }
    },
    write: { path, data in
      let url = URL(fileURLWithPath: path)
      if let data { try data.write(to: url, options: .atomic) } else { try FileManager.default.removeItem(at: url) }
    })

  /// Files that exist in memory only, by their paths as they are written.
  public static func inMemory(_ files: [String: Data] = [:]) -> FileAccess {
    let files = NamedData(files)
    return FileAccess(read: { files[$0] }, write: { files[$0] = $1 })
  }

  /// The files of the system.
  public static func load(in injector: Injector) -> FileAccess { .system }
}

/// There is no file at a path.
public struct FileNotFound: Error, Hashable, CustomStringConvertible {
  /// The path.
  public let path: String

  /// Creates the error.
  public init(path: String) {
    self.path = path
  }

  /// What is wrong.
  public var description: String { "there is no file \"\(path)\"" }
}

extension Injector {
  /// Reads and writes files.
  public var files: FileAccess {
    get { self[FileAccess.self] }
    set { self[FileAccess.self] = newValue }
  }
}

/// Data by names, for any number of threads.
final class NamedData: Sendable {
  private let contents: Mutex<[String: Data]>

  init(_ contents: [String: Data]) {
    self.contents = Mutex(contents)
  }

  subscript(name: String) -> Data? {
    get { contents.withLock { $0[name] } }
    set { contents.withLock { $0[name] = newValue } }
  }
}
