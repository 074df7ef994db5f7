import Foundation
import TestSupport
import Testing

@testable import Plug

private final class Ticket: Sendable {}

private final class First: Sendable {}
private final class Second: Sendable {}

extension Injector {
  fileprivate var ticket: Provider<Ticket> { provide(.factory { Ticket() }) }
}

@Suite("An injected property that many read first at once", .repeatable, .timeLimit(.minutes(10)))
struct InjectedRaceTests {
  private struct Subject: Sendable {
    let made = Counter()
    let injector = Injector()
    let required: Injected<Ticket>
    let optional: Injected<Ticket?>
    let provided: Injected<Ticket>

    init() throws {
      required = Injected(injector: injector)
      optional = Injected(injector: injector)
      provided = Injected(\.ticket, injector: injector)
      let made = made
      try injector.register(
        injectable: .factory {
          made.increment()
          return Ticket()
        })
    }
  }

  @Test("has one instance made of a factory", arguments: [2, 4])
  func factory(threads: Int) throws {
    try race(threads: threads) { _ in
      try Subject()
    } body: { subject, _ in
      [subject.required.wrappedValue, subject.optional.wrappedValue, subject.provided.wrappedValue]
    } check: { subject, outcomes in
      for index in 0..<3 { #expect(Set(outcomes.map { $0[index].map(ObjectIdentifier.init) }).count == 1) }
      #expect(subject.made.value == 2)
    }
  }

  @Test("is the same where a factory reads the property that it is made for on the way")
  func reentrant() throws {
    let (injector, made) = (Injector(), Counter())
    let property = Injected<Ticket>(injector: injector)
    try injector.register(
      injectable: .factory { injector in
        if made.increment() == 1 { _ = try injector.get(Ticket.self, tag: "other") }
        return Ticket()
      })
    try injector.register(tag: "other", injectable: .factory { try property.get() })
    let error = #expect(throws: InjectorError.self) { try property.get() }
    guard case .circularDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == ["Ticket", "Ticket (tag \"other\")", "Ticket"])
    #expect(property.wrappedValue === property.wrappedValue)
  }

  private struct Pair: Sendable {
    let injector = Injector()
    let first: Injected<First>
    let second: Injected<Second>
    let both = Rendezvous(2)

    /// Where the property of a type is.
    static let lines = ["First": #line + 3, "Second": #line + 4]

    init() throws {
      first = Injected(injector: injector)
      second = Injected(injector: injector)
      try injector.register(
        injectable: .factory { [both, second] in
          both.meet()
          _ = try second.get()
          return First()
        })
      try injector.register(
        injectable: .factory { [both, first] in
          both.meet()
          _ = try first.get()
          return Second()
        })
    }

    /// The way around, and the line of the property that has been read last.
    func circle(readBy thread: Int) -> (path: [String], line: Int?)? {
      do throws(InjectorError) {
        if thread == 0 { _ = try first.get() } else { _ = try second.get() }
        return nil
      } catch {
        guard let path = Result<Void, InjectorError>.failure(error).circularPath else { return nil }
        return (path, error.facts.requestedAt?.line)
      }
    }
  }

  @Test("two whose factories read each other are a circle that is found, and nobody waits for ever")
  func circle() throws {
    try race(threads: 2) { _ in
      try Pair()
    } body: { pair, thread in
      pair.circle(readBy: thread)
    } check: { _, circles in
      let circles = circles.compactMap { $0.flatMap(\.self) }
      #expect(circles.count == 2)
      for (path, line) in circles {
        // The circle ends where the property is read that it began with.
        #expect(path == ["First", "Second", "First"] || path == ["Second", "First", "Second"])
        #expect(line == Pair.lines[path[0]])
      }
    }
  }

  @Test("waits for no configuration that waits for it", arguments: [2, 3])
  func configuration(threads: Int) throws {
    try race(threads: threads) { _ in
      let injector = Injector()
      let property = Injected<Ticket>(injector: injector)
      try injector.register(injectable: .lazySingleton { Ticket() }.configure { _, _ in _ = try property.get() })
      return (injector, property)
    } body: { it, thread -> Ticket? in
      thread == 0 ? try? it.0.get(Ticket.self) : try? it.1.get()
    } check: { it, outcomes in
      let kept = try it.0.get(Ticket.self)
      for outcome in outcomes { #expect(outcome.flatMap(\.self) === kept) }
      #expect(it.1.wrappedValue === kept)
    }
  }

  @Test("waits for no session that waits for it and makes what it needs", arguments: [2, 3])
  func session(threads: Int) throws {
    try race(threads: threads) { _ in
      let injector = Injector()
      let property = Injected<First>(injector: injector)
      try injector.register(injectable: .lazySingleton { Ticket() }.configure { _, _ in })
      try injector.register(
        injectable: .lazySingleton { (injector: Injector) in
          _ = try injector.get(Ticket.self)
          return First()
        })
      try injector.register(
        injectable: .lazySingleton { (injector: Injector) in
          _ = try injector.get(Ticket.self)
          _ = try property.get()
          return Second()
        })
      return (injector, property)
    } body: { it, thread -> First? in
      if thread == 0, (try? it.0.get(Second.self)) == nil { return nil }
      return try? it.1.get()
    } check: { it, outcomes in
      let kept = try it.0.get(First.self)
      for outcome in outcomes { #expect(outcome.flatMap(\.self) === kept) }
      #expect(it.1.wrappedValue === kept)
    }
  }

  @Test("keeps nothing of a session that fails")
  func failingSession() throws {
    let (injector, attempts) = (Injector(), Counter())
    let property = Injected<Ticket>(injector: injector)
    try injector.register(
      injectable: .lazySingleton { Ticket() }.configure { _, _ in
        _ = try property.get()
        if attempts.increment() == 1 { throw Failure() }
      })
    #expect(throws: InjectorError.self) { try injector.get(Ticket.self) }
    let kept = try injector.get(Ticket.self)
    #expect(property.wrappedValue === kept)
  }

  @Test("is kept at once by one who has still to configure, if it is made of nothing that is not published")
  func readWhileConfiguring() throws {
    let injector = Injector()
    let (first, second) = (Injected<Ticket>(injector: injector), Injected<Second>(injector: injector))
    let (isRead, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try injector.register(injectable: .factory { Ticket() })
    try injector.register(
      injectable: .factory { injector in
        _ = try injector.get(First.self)
        return Second()
      })
    try injector.register(
      injectable: .lazySingleton { First() }.configure { _, _ in
        let read = (try first.get(), try second.get())
        #expect(try first.get() === read.0)
        #expect(try second.get() === read.1)
        isRead.signal()
        isOver.wait()
      })
    let thread = Thread { _ = try? injector.get(First.self) }
    thread.start()
    isRead.wait()
    let ticket = try first.get()
    isOver.signal()
    _ = try injector.get(First.self)
    #expect(first.wrappedValue === ticket)
    #expect(second.wrappedValue === second.wrappedValue)
  }

  @Test("tells all who wait what went wrong, and tries again at the next read")
  func failure() throws {
    try race(threads: 4) { _ in
      let injector = Injector()
      let attempts = Counter()
      try injector.register(
        injectable: .factory {
          if attempts.increment() == 1 { throw Failure() }
          return Ticket()
        })
      return Injected<Ticket>(injector: injector)
    } body: { property, _ in
      try? property.get()
    } check: { property, outcomes in
      let kept = try property.get()
      #expect(outcomes.compactMap(\.self).allSatisfy { $0 === kept })
    }
  }

  @Test("is looked for again by each who waited while it was absent")
  func absent() throws {
    try race(threads: 4) { _ in
      Injected<Ticket?>(injector: Injector())
    } body: { property, _ in
      property.wrappedValue == nil
    } check: { _, outcomes in
      #expect(outcomes == [true, true, true, true])
    }
  }
}
