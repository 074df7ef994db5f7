extension Injector {
  /// Loads the dependencies of an asynchronous factory that injectors keep, concurrently.
  func prepare(_ keys: [Key]) async throws(InjectorError) {
    let missing = keys.filter { key in
      (try? find(key))?.map { $0.registration.isKept && $0.published.box == nil } == true
    }
    guard missing.count > 1 else { return }
    let failure = await Self.concurrently(missing) { key throws(InjectorError) in
      _ = try await self.loadedBox(for: key)
    }
    if let failure { throw failure }
  }

  /// Runs work for each of some values concurrently. The first failure, which is returned, cancels the others.
  static func concurrently<Value: Sendable>(
    _ values: [Value], _ work: @escaping @Sendable (Value) async throws(InjectorError) -> Void
  ) async -> InjectorError? {
    await withTaskGroup(of: InjectorError?.self, returning: InjectorError?.self) { group in
      for value in values {
        group.addTask {
          do throws(InjectorError) {
            try await work(value)
            return nil
          } catch {
            return error
          }
        }
      }
      for await case let failure? in group {
        group.cancelAll()
        return failure
      }
      return nil
    }
  }
}
