import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What tells one version of a file from the next: which file the path leads to, when it was changed, and its size.
struct FileStatus: Equatable, Sendable {
  private let device: UInt64
  private let file: UInt64
  private let size: Int64
  private let modified: Time
  private let changed: Time

  private struct Time: Equatable {
    let seconds: Int64
    let nanoseconds: Int64
  }

  /// - Parameter path: A path, of which symbolic links are followed. If it leads to no file, there is no status.
  init?(ofFile path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: found.st_dev)
    file = UInt64(truncatingIfNeeded: found.st_ino)
    size = Int64(truncatingIfNeeded: found.st_size)
    #if canImport(Darwin)
      let (modified, changed) = (found.st_mtimespec, found.st_ctimespec)
    #else
      let (modified, changed) = (found.st_mtim, found.st_ctim)
    #endif
    self.modified = Time(seconds: Int64(modified.tv_sec), nanoseconds: Int64(modified.tv_nsec))
    self.changed = Time(seconds: Int64(changed.tv_sec), nanoseconds: Int64(changed.tv_nsec))
  }

  /// Whether the last change is so short ago that another one may get the same time: file systems count in steps, of
  /// up to two seconds.
  var isRecent: Bool {
    Date().timeIntervalSince1970 - Double(changed.seconds) < 3
  }
}
