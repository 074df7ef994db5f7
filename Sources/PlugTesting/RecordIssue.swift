import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// Records an issue in the test that is running, of Swift Testing or XCTest.
func recordIssue(_ text: String, at location: SourceLocation) {
  Issue.record(Comment(rawValue: text), sourceLocation: location)
  #if canImport(XCTest)
    // Without a test of Swift Testing it may be one of XCTest; if it is neither, that ignores it.
    if Test.current == nil { XCTFail("\(location.fileID):\(location.line): \(text)") }
  #endif
}
