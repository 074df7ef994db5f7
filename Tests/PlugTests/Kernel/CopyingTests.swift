import PlugIsolation
import Testing

@testable import Plug

@Suite("A copy of an injector")
struct CopyingTests {
  private let injector = Injector("copied")

  /// The number of registrations that the copy of the calling test has.
  private var copiedCount: Int? { injector.redirected()?.state.withLock { $0.table.count } }

  init() throws {
    for number in 0..<1_000 {
      try injector.register(tag: "\(number)", injectable: .lazySingleton { number })
    }
    try injector.register { try $0.get(Int.self, tag: "7").description }
  }

  @Test("copies what is requested or changed, of 1,000 registrations", arguments: [false, true])
  func requested(isSealed: Bool) throws {
    if isSealed { try injector.seal() }
    try Sandbox.run { _ throws in
      #expect(copiedCount == 0)
      #expect(try injector.get(String.self) == "7")
      #expect(copiedCount == 2)
      try injector.override("8", by: Injection<Int>.singleton(80), at: .unknown)
      #expect(try injector.get(Int.self, tag: "8") == 80)
      #expect(copiedCount == 3)
    }
    #expect(try injector.get(Int.self, tag: "8") == 8)
  }

  @Test("copies nothing for diagnosis, and sees what is registered later")
  func diagnosis() throws {
    try Sandbox.run { _ throws in
      #expect(injector.isRegistered(Int.self, tag: "9") && !injector.isRegistered(Bool.self))
      #expect(throws: InjectorError.self) { try injector.get(Int.self, tag: "none") }
      #expect(try injector.validate().serviceCount == 1_001)
      #expect(copiedCount == 0)
    }
  }

  @Test("is a copy of the copy in an inner test, and leaves the outer one as it is")
  func nested() throws {
    try Sandbox.run { _ throws in
      try injector.unregister(Int.self, tag: "1")
      try Sandbox.run { _ throws in
        #expect(!injector.isRegistered(Int.self, tag: "1") && injector.isRegistered(Int.self, tag: "2"))
        try injector.unregister(Int.self, tag: "2")
        #expect(!injector.isRegistered(Int.self, tag: "2"))
        #expect(try injector.validate().serviceCount == 999)
      }
      #expect(injector.isRegistered(Int.self, tag: "2"))
      #expect(try injector.validate().serviceCount == 1_000)
    }
    #expect(injector.isRegistered(Int.self, tag: "1"))
  }

  @Test("lacks what it has not copied when the injector is closed, and keeps what it has")
  func closed() throws {
    try Sandbox.run { _ throws in
      #expect(try injector.get(Int.self, tag: "1") == 1)
      injector.closeNowItself()
      #expect(try injector.get(Int.self, tag: "1") == 1)
      let error = #expect(throws: InjectorError.self) { try injector.get(Int.self, tag: "2") }
      #expect(error?.description.contains("the injector is closed") == true)
      #expect(!injector.isRegistered(Int.self, tag: "2"))
    }
  }
}

extension Injector {
  fileprivate func override<Service: Sendable>(
    _ tag: Tag, by injection: Injection<Service>, at location: CodeLocation
  ) throws(InjectorError) {
    try override(Key(Service.self, tag), by: injection, at: location)
  }
}
