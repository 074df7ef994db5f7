import Plug
import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// A location in a test.
package struct TestLocation: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt

  package init(fileID: StaticString, filePath: StaticString, line: UInt) {
    (self.fileID, self.filePath, self.line) = (fileID, filePath, line)
  }

  /// The location as diagnostics of Plug show it.
  var location: CodeLocation { CodeLocation(fileID: "\(fileID)", line: Int(line)) }
}

/// Records an issue in the running test, of Swift Testing or XCTest.
package func recordIssue(_ text: String, at place: TestLocation) {
  let location = SourceLocation(
    fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line), column: 1)
  Issue.record(Comment(rawValue: text), sourceLocation: location)
  #if canImport(XCTest)
    // Without a test of Swift Testing it may be one of XCTest. XCTest ignores a failure outside of its tests.
    if Test.current == nil { XCTFail(text, file: place.filePath, line: place.line) }
  #endif
}
