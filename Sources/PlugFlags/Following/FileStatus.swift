import Foundation

/// The attributes that distinguish two versions of a file: its identity, the times of its last change, and its size.
struct FileStatus: Equatable, Sendable {
  private let changed: Int64
  private let others: [Int64]

  /// - Parameter path: The path. Symbolic links are followed.
  /// - Returns: `nil` if the path leads to no file.
  init?(ofFile path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    #if canImport(Darwin)
      let (modified, changed) = (found.st_mtimespec, found.st_ctimespec)
    #else
      let (modified, changed) = (found.st_mtim, found.st_ctim)
    #endif
    self.changed = Int64(changed.tv_sec)
    others = [
      Int64(truncatingIfNeeded: found.st_dev), Int64(truncatingIfNeeded: found.st_ino), Int64(found.st_size),
      Int64(modified.tv_sec), Int64(modified.tv_nsec), Int64(changed.tv_nsec),
    ]
  }

  /// Whether the last change is so recent that another one may get the same time: the resolution of a file system can
  /// be as coarse as two seconds.
  var isRecent: Bool {
    Date().timeIntervalSince1970 - Double(changed) < 3
  }
}
