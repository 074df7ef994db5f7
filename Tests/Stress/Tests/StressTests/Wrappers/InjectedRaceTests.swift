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

@Suite("An injected property that several threads read first at once", .repeatable, .timeLimit(.minutes(10)))
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

  @Test("gets one instance of a factory for all threads", arguments: [2, 4])
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

  @Test("reports the cycle of a factory that reads the property during its own first read")
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

    /// The line of the property of each type.
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

    /// The path of the cycle, and the line of the property that was read last.
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

  @Test("reports a cycle when the factories of two properties read each other, and no thread waits forever")
  func circle() throws {
    try race(threads: 2) { _ in
      try Pair()
    } body: { pair, thread in
      pair.circle(readBy: thread)
    } check: { _, circles in
      let circles = circles.compactMap { $0.flatMap(\.self) }
      #expect(circles.count == 2)
      for (path, line) in circles {
        // The cycle ends where its first property is read again.
        #expect(path == ["First", "Second", "First"] || path == ["Second", "First", "Second"])
        #expect(line == Pair.lines[path[0]])
      }
    }
  }

  @Test("does not wait for a configuration that waits for the property", arguments: [2, 3])
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

  @Test("does not wait for a session that waits for the property and makes its dependencies", arguments: [2, 3])
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

  @Test("keeps no instance of a session that fails")
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

  @Test("keeps its instance during a configuration, if that instance has no unpublished dependency")
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

  @Test("throws the error to all waiting threads, and tries again at the next read")
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

  @Test("is looked up again by each thread that waited while the service was absent")
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
