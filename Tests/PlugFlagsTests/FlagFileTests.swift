import Foundation
import Plug
import PlugFlags
import Testing

/// A folder that goes with the test.
final class Folder: Sendable {
  let path = FileManager.default.temporaryDirectory.appending(path: "plug-flags-\(UUID().uuidString)").path

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes into the file itself.
  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
  }

  /// Writes another file, and renames it.
  func replace(_ name: String, by text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)), options: .atomic)
  }

  /// Lets a link lead elsewhere, as Kubernetes does: by renaming another one.
  func link(_ name: String, to target: String) throws {
    let new = path("\(name).new")
    try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: target)
    guard rename(new, path(name)) == 0 else { throw POSIXError(.EIO) }
  }
}

/// A document with one flag, which has a number.
func numbered(_ number: Int) throws -> FlagDocument { try flags(["number": value("\(number)")]) }

@Suite("A file with flags", .timeLimit(.minutes(10)))
struct FlagFileTests {
  private let folder: Folder
  private let problems = Log<FlagDocumentError>()
  private let clock = ImpatientClock()
  private let file: FlagFile

  init() throws {
    folder = try Folder()
    file = FlagFile(folder.path("flags.json"), clock: clock) { [problems] in problems.add($0) }
  }

  @Test("is read at once, and again when another text is written into it")
  func writing() async throws {
    try folder.write(numbered(0).json(), to: "flags.json")
    var documents = file.makeAsyncIterator()
    for number in 0..<20 {
      try folder.write(numbered(number).json(), to: "flags.json")
      #expect(await documents.next() == (try numbered(number)))
    }
    #expect(problems.elements.isEmpty)
  }

  @Test("is read again when another file takes its place")
  func renaming() async throws {
    var documents = file.makeAsyncIterator()
    for number in 0..<20 {
      try folder.replace("flags.json", by: numbered(number).json())
      #expect(await documents.next() == (try numbered(number)))
    }
  }

  @Test("is read again when a link on its path leads elsewhere")
  func links() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("flags.json"), withDestinationPath: "data/flags.json")
    var documents = file.makeAsyncIterator()
    for number in 0..<20 {
      let version = "version-\(number)"
      try FileManager.default.createDirectory(atPath: folder.path(version), withIntermediateDirectories: true)
      try folder.write(numbered(number).json(), to: "\(version)/flags.json")
      try folder.link("data", to: version)
      #expect(await documents.next() == (try numbered(number)))
    }
  }

  @Test("reports data that is no document once, and goes on with the next document")
  func broken() async throws {
    var documents = file.makeAsyncIterator()
    let steps = Task { [folder, problems] in
      try await until { problems.count == 1 }
      try folder.replace("flags.json", by: "{\"flags\": ")
      try await until { problems.count == 2 }
      try folder.replace("flags.json", by: "{\"flag\": {}}")
      try await until { problems.count == 3 }
      try folder.replace("flags.json", by: numbered(1).json())
    }
    #expect(await documents.next() == (try numbered(1)))
    try await steps.value
    guard case .unreadable(folder.path("flags.json"), _) = try #require(problems.elements.first) else {
      throw problems.elements[0]
    }
    #expect(
      problems.elements.dropFirst().map(\.description) == [
        """
        The text is not a flag document, because it is not JSON
        line 1, column 11: expected a value, found the end of the text
        To fix this: correct the text at this place
        """,
        """
        The text is not a flag document, because it has no flags
        "flags" is missing
        To fix this: write the flags as {"flags": {"name of a flag": {"state": "ENABLED", "variants": {…}}}}
        """,
      ])
  }

  @Test("announces no document twice, also after one that is broken")
  func equal() async throws {
    try folder.write(numbered(1).json(), to: "flags.json")
    var documents = file.makeAsyncIterator()
    #expect(await documents.next() == (try numbered(1)))
    let steps = Task { [folder, problems, clock] in
      try folder.replace("flags.json", by: numbered(1).json(isIndented: false))
      try await clock.look()
      for count in 1...3 {
        try folder.replace("flags.json", by: "broken")
        try await until { problems.count == count }
        try folder.replace("flags.json", by: numbered(1).json())
        try await clock.look()
      }
      try folder.replace("flags.json", by: numbered(2).json())
    }
    #expect(await documents.next() == (try numbered(2)))
    try await steps.value
  }

  @Test("is no longer looked at when the task is cancelled")
  func cancelling() async throws {
    try folder.write(numbered(1).json(), to: "flags.json")
    let log = Log<FlagDocument>()
    let task = Task { [file] in for await document in file { log.add(document) } }
    try await until { log.count == 1 }
    task.cancel()
    await task.value
    #expect(log.elements == [try numbered(1)])
  }

  @Test("yields the newest of a thousand versions, whatever way they come, each at most once")
  func thousand() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("flags.json"), withDestinationPath: "data/flags.json")
    for version in ["a", "b"] {
      try FileManager.default.createDirectory(atPath: folder.path(version), withIntermediateDirectories: true)
    }
    let log = Log<Int>()
    let task = Task { [file] in
      let key = FlagKey("number", default: -1)
      for await document in file { log.add(document.evaluate(key, in: Buyer()).value) }
    }
    for number in 0..<1000 {
      let (version, text) = (number.isMultiple(of: 6) ? "b" : "a", try numbered(number).json())
      switch number % 3 {
      case 0:
        try folder.replace("\(version)/flags.json", by: text)
        try folder.link("data", to: version)
      case 1: try folder.replace("data/flags.json", by: text)
      default: try folder.write(text, to: "data/flags.json")
      }
      if number.isMultiple(of: 50) { try await until { log.last == number } }
    }
    try await until { log.last == 999 }
    task.cancel()
    #expect(log.elements == Set(log.elements).sorted())
  }
}
