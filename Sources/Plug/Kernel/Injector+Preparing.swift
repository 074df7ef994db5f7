extension Injector {
  /// Makes the known dependencies of a factory that injectors keep, concurrently. A single one of an initializer is
  /// made when the initializer asks for it.
  ///
  /// - Parameter outer: The services that are made after these.
  func prepare(for recipe: AnyRecipe, inside outer: [Key] = []) async throws {
    let (keys, least): ([Key], Int)
    switch recipe.needs {
    case .wired(let wired): (keys, least) = (wired, 2)
    case .declared(let declared): (keys, least) = (declared, 1)
    case .nothing, .opaque, .absent: return
    }
    let missing = keys.filter { key in
      guard let cell = try? find(key) else { return false }
      return cell.registration.isKept && cell.published.box == nil
    }
    guard missing.count >= least else { return }
    // A load prepares its own. A closure that misses a service runs again, so what it declares is made first; an
    // initializer is not called before it has all its parameters. One after the other, so that each is looked at once.
    for key in missing where !outer.contains(key) {
      guard let recipe = try find(key)?.registration.recipe, !recipe.isLoaded, case .declared = recipe.needs else {
        continue
      }
      try await prepare(for: recipe, inside: outer + [key])
    }
    let failure = await Self.concurrently(missing) { key in
      _ = try await self.loading { injector -> AnyBox in
        guard let cell = try injector.find(key), let box = try injector.firstBox(of: cell, isOptional: false) else {
          return AnyBox()  // It is gone. An optional result would be another copy of `loading`.
        }
        return box
      }
    }
    if let failure { throw failure }
  }

  /// Runs work for each of the given values concurrently. The first failure, which is returned, cancels the others.
  static func concurrently<Value: Sendable>(
    _ values: [Value], _ work: @escaping @Sendable (Value) async throws -> Void
  ) async -> (any Error)? {
    await withTaskGroup(of: (any Error)?.self, returning: (any Error)?.self) { group in
      for value in values {
        group.addTask {
          do { try await work(value) } catch { return error }
          return nil
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
