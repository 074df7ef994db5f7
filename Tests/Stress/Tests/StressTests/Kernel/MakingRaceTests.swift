import Plug
import TestSupport
import Testing

private final class Page: Sendable {
  let isReady = Counter()
}

private final class Site: Sendable {
  let page: Page

  init(_ page: Page) {
    self.page = page
  }
}

@Suite("A shared instance made without an attempt under several threads", .repeatable, .serialized)
struct MakingRaceTests {
  @Test("is not published before its dependencies are configured", arguments: [2, 8])
  func configuredLater(threads: Int) throws {
    try race(threads: threads) { _ in
      let injector = Injector()
      try injector.register(injectable: .lazySingleton { Page() }.configure { page, _ in page.isReady.increment() })
      try injector.register { Site(try $0.get()) }
      return injector
    } body: { injector, _ -> (site: ObjectIdentifier?, readiness: Int?) in
      let site = try? injector.get(Site.self)
      return (site.map(ObjectIdentifier.init), site?.page.isReady.value)
    } check: { injector, outcomes in
      let site = try injector.get(Site.self)
      #expect(Set(outcomes.map(\.site)) == [ObjectIdentifier(site)])
      #expect(outcomes.allSatisfy { $0.readiness == 1 })
    }
  }

  @Test("is refused when it needs itself through a service that a second thread makes", arguments: [2, 4])
  func circle(threads: Int) throws {
    try race(threads: threads) { _ in
      let injector = Injector()
      try injector.register(as: Int.self) { try $0.get(String.self).count }
      try injector.register(as: String.self) { String(try $0.get(Int.self)) }
      return injector
    } body: { injector, thread -> [String]? in
      thread.isMultiple(of: 2)
        ? injector.outcome(Int.self).circularPath : injector.outcome(String.self).circularPath
    } check: { injector, outcomes in
      for path in outcomes {
        let path = try #require(path)
        #expect(path.count == 3 && path.first == path.last)
      }
      #expect(injector.outcome(Int.self).circularPath == ["Int", "String", "Int"])
    }
  }

  @Test("is closed once when its registration is replaced meanwhile, and then returned or given up", arguments: [1, 3])
  func replaced(threads: Int) throws {
    try race(threads: threads + 1) { _ in
      let (injector, closed) = (Injector(allowRewrite: true), Counter())
      try injector.register(injectable: .lazySingleton { Page() }.onClose { _ in closed.increment() })
      return (injector: injector, closed: closed, new: Page())
    } body: { subject, thread -> ObjectIdentifier? in
      if thread > 0 { return (try? subject.injector.get(Page.self)).map(ObjectIdentifier.init) }
      _ = try? subject.injector.register(injectable: .singleton(subject.new))
      return nil
    } check: { subject, outcomes in
      let old = Set(outcomes.dropFirst().map { $0 ?? ObjectIdentifier(subject.injector) })
        .subtracting([ObjectIdentifier(subject.new)])
      let now = try subject.injector.get(Page.self)
      #expect(now === subject.new)
      #expect(subject.closed.value <= 1 && old.count <= subject.closed.value)
    }
  }
}

@Suite("A shared instance that exists under several threads", .repeatable)
struct MakingDoneRaceTests {
  @Test("is the same for direct and indirect first requests", arguments: [2, 4, 8])
  func ways(threads: Int) throws {
    try race(threads: threads) { _ in
      let (injector, made, closed) = (Injector("shop"), Counter(), Counter())
      try injector.register(
        injectable: .lazySingleton { _ in
          made.increment()
          return Page()
        }.onClose { _ in closed.increment() })
      try injector.register(
        injectable: .factory { Site(try $0.get()) }.configure { _, injector in _ = try injector.get(Page.self) })
      return (injector: injector, made: made, closed: closed)
    } body: { subject, thread -> ObjectIdentifier? in
      let page =
        thread.isMultiple(of: 2) ? try? subject.injector.get(Page.self) : (try? subject.injector.get(Site.self))?.page
      return page.map(ObjectIdentifier.init)
    } check: { subject, outcomes in
      let page = try subject.injector.get(Page.self)
      #expect(Set(outcomes) == [ObjectIdentifier(page)])
      subject.injector.closeNow()
      #expect(subject.made.value == 1 && subject.closed.value == 1)
    }
  }
}
