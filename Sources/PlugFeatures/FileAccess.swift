public import Foundation
public import Plug
public import PlugKeys
import Synchronization

/// A feature that reads and writes files, with an in-memory form for tests.
///
/// ```swift
/// let data = try services.files.read("settings.json")
///
/// services.files = .inMemory(["settings.json": Data("{}".utf8)])
/// ```
///
/// A file access can be used from any thread. Its operations block the calling thread.
public struct FileAccess: Feature {
  private let readFile: @Sendable (_ path: String) throws -> Data?
  private let writeFile: @Sendable (_ path: String, Data?) throws -> Void

  /// Creates a file access with operations of your own.
  ///
  /// - Parameters:
  ///   - read: Returns the contents of the file at a path; `nil` if there is none.
  ///   - write: Replaces the file at a path. For `nil`, it removes the file if there is one.
  public init(
    read: @escaping @Sendable (_ path: String) throws -> Data?,
    write: @escaping @Sendable (_ path: String, Data?) throws -> Void
  ) {
    readFile = read
    writeFile = write
  }

  /// Reads a file.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The contents.
  /// - Throws: ``FileNotFound`` if there is no file at the path; the system's error if it cannot be read.
  public func read(_ path: String) throws -> Data {
    guard let data = try readFile(path) else { throw FileNotFound(path: path) }
    return data
  }

  /// Writes a file atomically, and replaces an existing one.
  ///
  /// - Parameters:
  ///   - data: The new contents.
  ///   - path: The path of the file. Its directory must exist.
  /// - Throws: The system's error.
  public func write(_ data: Data, to path: String) throws {
    try writeFile(path, data)
  }

  /// Removes a file.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``FileNotFound`` if there is no file at the path; the system's error if it cannot be removed.
  public func remove(_ path: String) throws {
    _ = try read(path)
    try writeFile(path, nil)
  }

  /// Returns whether there is a readable file at a path.
  public func exists(_ path: String) -> Bool {
    (try? readFile(path)) != nil
  }

  /// The files of the operating system.
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

  /// Files that exist in memory only.
  ///
  /// Paths are not normalized: `a/../b` and `b` are different files.
  ///
  /// - Parameter files: The contents of the files by path.
  public static func inMemory(_ files: [String: Data] = [:]) -> FileAccess {
    let files = NamedData(files)
    return FileAccess(read: { files[$0] }, write: { files[$0] = $1 })
  }

  /// Returns the files of the operating system.
  public static func load(in injector: Injector) -> FileAccess { .system }
}

/// The error for a path without a file.
public struct FileNotFound: Error, Hashable, CustomStringConvertible {
  /// The path.
  public let path: String

  /// Creates the error.
  ///
  /// - Parameter path: The path without a file.
  public init(path: String) {
    self.path = path
  }

  /// The error in one line.
  public var description: String { "there is no file \"\(path)\"" }
}

extension Injector {
  /// The access to files, by default to the files of the operating system.
  public var files: FileAccess {
    get { self[FileAccess.self] }
    set { self[FileAccess.self] = newValue }
  }
}

/// Data by name, for any number of threads.
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
