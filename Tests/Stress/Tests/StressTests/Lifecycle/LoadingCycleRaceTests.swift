import Plug
import TestSupport
import Testing

private struct Left: Sendable {
  init(_: some Sendable) {}
}

private struct Right: Sendable {
  init(_: some Sendable) {}
}

@Suite("Loading in a cycle from several tasks", .repeatable, .timeLimit(.minutes(10)))
struct LoadingCycleRaceTests {
  @Test("ends for both tasks that enter the cycle at different places")
  func circleAcrossTasks() async throws {
    try await Rounds.run(20) { _ in
      let injector = Injector()
      let both = Latch()
      try injector.register(
        injectable: .lazySingleton { injector in
          await both.wait()
          return try await Left(injector.load(Right.self))
        })
      try injector.register(
        injectable: .lazySingleton { injector in
          await both.wait()
          return try await Right(injector.load(Left.self))
        })
      async let left = Result { try await injector.load(Left.self) }
      async let right = Result { try await injector.load(Right.self) }
      await both.arrivals(2)
      both.open()
      let paths = await [left.circularPath, right.circularPath].compactMap(\.self)
      #expect(paths.count == 2)
      #expect(Set(paths).isSubset(of: [["Left", "Right", "Left"], ["Right", "Left", "Right"]]))
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }

  fileprivate var circularPath: [String]? {
    if case .failure(InjectorError.circularDependency(_, let path)) = self { path } else { nil }
  }
}
