import Plug
import PlugKeys
import TestSupport

struct Document: Sendable {
  var isLong = false
  var id = "d-1"
}

struct Entry: Sendable, Equatable {
  let title: String
}

final class Exporter: Sendable {
  let name: String
  init(_ name: String, _ log: Log) {
    self.name = name
    log.add(name)
  }
}

func makePoint(_ log: Log) -> PluginPoint<Exporter, Document> {
  PluginPoint("export") {
    Candidate("pdf") { Exporter("pdf", log) }.metadata(Entry(title: "PDF")).metadata(1)
    PluginPoint("long", when: .is(\.isLong)) {
      Candidate("book", priority: 5, fileID: "App/Points.swift", line: 3) { Exporter("book", log) }.metadata(
        Entry(title: "A book"))
      Candidate("draft") { Exporter("draft", log) }.when(.never)
    }
    Candidate("text", .factory { Exporter("text", log) }, priority: 1)
  }
}

func makeServices(_ log: Log) throws -> Injector {
  try Injector("services").register(makePoint(log))
}
