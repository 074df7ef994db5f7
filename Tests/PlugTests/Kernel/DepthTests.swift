import Plug
import TestSupport
import Testing

@Suite("A chain of dependencies")
struct DepthTests {
  /// Registers services tagged 0 to `depth`, each of which needs the next.
  private func chain(_ depth: Int) throws -> Injector {
    let injector = Injector("deep")
    for level in 0..<depth {
      try injector.register(as: Instance.self, tag: Injector.Tag(rawValue: "\(level)")) { injector in
        _ = try injector.get(Instance.self, tag: Injector.Tag(rawValue: "\(level + 1)"))
        return Instance("\(level)")
      }
    }
    try injector.register(tag: Injector.Tag(rawValue: "\(depth)"), injectable: .singleton(Instance("\(depth)")))
    return injector
  }

  /// Gets a service on a thread with a stack of `stack` bytes.
  private func outcome(_ injector: Injector, _ tag: Injector.Tag, stack: Int) -> Result<Instance, InjectorError> {
    onThread(stack: stack) { injector.outcome(Instance.self, tag: tag) }
  }

  @Test("of 10,000 levels is resolved if the stack is large enough")
  func enoughStack() throws {
    let injector = try chain(10_000)
    #expect(try outcome(injector, "0", stack: 256 << 20).get().name == "0")
  }

  @Test("is resolved or refused on a thread of 64 KiB", arguments: [0, 1, 2, 5, 10, 20, 50, 100])
  func smallThread(depth: Int) throws {
    let injector = try chain(depth)
    try injector.register(
      tag: "failing",
      injectable: .factory { injector -> Instance in
        _ = try injector.get(Instance.self, tag: "0")
        throw Failure()
      })
    for tag: Injector.Tag in ["0", "failing", "missing"] {
      switch outcome(injector, tag, stack: 64 << 10) {
      case .success(let instance): #expect(instance.name == "0")
      case .failure(.depthExceeded(let facts, _)): #expect(depth > 1 && facts.service == "Instance")
      case .failure(let error): #expect(tag != "0" && "\(error)".contains("Instance"))
      }
    }
  }

  @Test("is refused on a thread of 32 KiB, or made if the system gives it more")
  func smallestThread() {
    let injector = Injector("small")
    #expect(throws: Never.self) { try injector.register(injectable: .lazySingleton { Instance("one") }) }
    let line = #line - 1
    let outcome = onThread(stack: 32 << 10) { injector.outcome(Instance.self, tag: nil) }
    switch outcome {
    case .success(let instance): #expect(instance.name == "one")
    case .failure(let error):
      #expect(
        error.description == """
          The chain to Instance is too deep: 1 dependencies would overflow the stack.
            service:        Instance
            injector:       small
            chain:          Instance
            asked at:       \(place(error))
            registered at:  PlugTests/DepthTests.swift:\(line)
          To fix this:
            - Get a singleton in the middle of the chain first, so that the rest of the chain starts there.
            - Or run the first get on a thread with a larger stack.
          """)
    }
  }

  @Test("that is too long for the stack is refused before it overflows", arguments: [512 << 10, 8 << 20])
  func tooLittleStack(stack: Int) throws {
    let injector = try chain(100_000)
    @Sendable func middle(_ depth: Int) -> Injector.Tag { .init(rawValue: "\(100_000 - depth / 2)") }
    // On one thread, since the system may give each the larger stack of another that has ended.
    let (whole, half) = onThread(stack: stack) {
      let whole = injector.outcome(Instance.self, tag: "0")
      guard case .failure(.depthExceeded(_, let depth)) = whole else { return (whole, whole) }
      return (whole, injector.outcome(Instance.self, tag: middle(depth)))
    }
    guard case .failure(.depthExceeded(let facts, let depth)) = whole else {
      Issue.record("The request should have been refused.")
      return
    }
    #expect(facts.tag == "\(depth - 1)")
    #expect(facts.chain.count == depth)
    #expect(depth > 20)
    #expect(try half.get().name == middle(depth).rawValue)
  }
}
