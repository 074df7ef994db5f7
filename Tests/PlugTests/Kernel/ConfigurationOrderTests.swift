import Plug
import Synchronization
import Testing

private protocol Sink: Sendable {}
private struct FileSink: Sink {}

private final class Log: Sendable {
  let sink = Mutex<(any Sink)?>(nil)
  var isReady: Bool { sink.withLock { $0 != nil } }
}

private final class Service: Sendable {
  let wasReady: Bool
  init(_ log: Log) { wasReady = log.isReady }
}

@Suite("The configuration of an inner object")
struct ConfigurationOrderTests {
  @Test(
    "runs before an outer object is made from it, in both orders of requests",
    arguments: [false, true])
  func configuration(isLogFirst: Bool) throws {
    let injector = Injector()
    try injector.register(
      injectable: .lazySingleton { Log() }.configure { log, injector in
        let sink = try injector.get((any Sink).self)
        log.sink.withLock { $0 = sink }
      })
    try injector.register(as: (any Sink).self) { FileSink() }
    try injector.register { Service(try $0.get()) }
    if isLogFirst { _ = try injector.get(Log.self) }
    #expect(try injector.get(Service.self).wasReady)
  }
}
