import Plug
import TestSupport
import Testing

@Suite("Registrations under several threads", .repeatable, .serialized)
struct RegistrationsTests {
  @Test("are never lost or torn while others are added, removed and read", arguments: [2, 8])
  func churn(threads: Int) throws {
    @Sendable func tag(_ thread: Int, _ index: Int) -> Injector.Tag { Injector.Tag(rawValue: "\(thread)-\(index)") }
    try race(threads: threads) { _ in
      Injector()
    } body: { injector, thread in
      var problems: [String] = []
      do throws(InjectorError) {
        for index in 0..<4 {
          let name = "\(thread)-\(index)"
          try injector.register(tag: tag(thread, index), injectable: .singleton(Instance(name)))
          if try injector.get(Instance.self, tag: tag(thread, index)).name != name { problems.append("torn \(name)") }
          let other = injector[Instance.self, tag: tag((thread + 1) % threads, index)]
          if let other, other.name != "\((thread + 1) % threads)-\(index)" { problems.append("torn \(other.name)") }
          if index % 2 == 0 { try injector.unregister(Instance.self, tag: tag(thread, index)) }
        }
      } catch {
        problems.append("\(error)")
      }
      return problems
    } check: { injector, problems in
      #expect(problems == Array(repeating: [], count: threads))
      for thread in 0..<threads {
        for index in 0..<4 {
          let isThere = injector.isRegistered(Instance.self, tag: tag(thread, index))
          #expect(isThere == (index % 2 == 1))
        }
      }
    }
  }

  @Test("of one service succeed once, and the others are refused", arguments: [2, 8], [false, true])
  func contended(threads: Int, hasCandidate: Bool) throws {
    try race(threads: threads) { _ in
      let injector = Injector()
      if hasCandidate {
        let never = Rule<Injector>("never") { _ in false }
        try injector.contribute(Instance.self, .singleton(Instance("candidate")), when: never, id: "candidate")
      }
      return injector
    } body: { injector, thread in
      Result { () throws(InjectorError) in
        try injector.register(injectable: .singleton(Instance("\(thread)")))
        return "\(thread)"
      }
    } check: { injector, outcomes in
      let winners = outcomes.compactMap { try? $0.get() }
      let registered = try injector.get(Instance.self).name
      #expect(winners == [registered])
      let refusals = outcomes.filter { if case .failure(.alreadyRegistered) = $0 { true } else { false } }
      #expect(refusals.count == threads - 1)
    }
  }

  @Test("are kept if they precede sealing, and throw otherwise", arguments: [2, 8])
  func sealing(threads: Int) throws {
    try race(threads: threads) { _ in
      Injector()
    } body: { injector, thread in
      Result { () throws(InjectorError) -> Bool in
        if thread == 0 {
          try injector.seal()
          return injector.isSealed
        }
        try injector.register(tag: Injector.Tag(rawValue: "\(thread)"), injectable: .singleton(Instance()))
        return true
      }
    } check: { injector, outcomes in
      let isSealed = try outcomes[0].get()
      #expect(isSealed)
      for thread in 1..<threads {
        let tag = Injector.Tag(rawValue: "\(thread)")
        switch outcomes[thread] {
        case .success: #expect(injector.isRegistered(Instance.self, tag: tag))
        case .failure(.sealed): #expect(!injector.isRegistered(Instance.self, tag: tag))
        case .failure(let error): throw error
        }
      }
    }
  }
}
