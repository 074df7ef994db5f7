extension Injector {
  /// Loads the dependencies of an asynchronous factory that injectors keep, concurrently.
  func prepare(_ keys: [Key]) async throws(InjectorError) {
    let missing = keys.filter { key in
      (try? find(key))?.map { $0.registration.isKept && $0.published.box == nil } == true
    }
    guard missing.count > 1 else { return }
    let failure = await withTaskGroup(of: InjectorError?.self, returning: InjectorError?.self) { group in
      for key in missing {
        group.addTask {
          do throws(InjectorError) {
            _ = try await self.loadedBox(for: key)
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.firstFailure()
    }
    if let failure { throw failure }
  }
}

extension TaskGroup<InjectorError?> {
  /// Waits for all tasks, or for the first that fails, and then cancels the others.
  mutating func firstFailure() async -> InjectorError? {
    for await case let failure? in self {
      cancelAll()
      return failure
    }
    return nil
  }
}
