public import Plug
import PlugIsolation

extension Injector {
  /// Computes how a change would affect the choices in the given contexts, without making the change.
  ///
  /// ```swift
  /// let impact = try services.impact(on: shoppers, by: \.id) { services in
  ///   try services.disable("one-click", at: "checkout", because: "INC-7")
  /// }
  /// print(impact)
  /// // 3 of 12 contexts would get another candidate
  /// //   service   from       to       contexts
  /// //   Checkout  one-click  classic  3: p-4, p-7, p-11
  /// ```
  ///
  /// The change affects a private copy, as in an isolated test. It may switch candidates, set properties, and register,
  /// replace and unregister services, even if the injector is sealed or does not allow rewriting. It should use the
  /// injector that it receives. The injector itself does not change.
  ///
  /// All rules run once for each context without the change, and once with it. No chosen candidate is made. A rule that
  /// requests services gets new instances from the copy. Quarantines are ignored. The result omits services whose
  /// candidates are chosen by another type of context, but includes those that need no context.
  ///
  /// While this runs, requests in all injectors take a slower path.
  ///
  /// - Parameters:
  ///   - contexts: The contexts, such as recorded ones.
  ///   - identifier: The property that identifies a context in the result.
  ///   - change: Makes the change in the injector that it receives.
  /// - Returns: The services and the contexts that would get another candidate.
  /// - Throws: The error that the change throws.
  /// - Complexity: O(*n* · *m*) choices for *n* contexts and *m* services.
  public func impact<Context: Sendable>(
    on contexts: some Sequence<Context>, by identifier: any KeyPath<Context, String> & Sendable,
    of change: (Injector) throws -> Void
  ) throws -> Impact {
    let contexts = Array(contexts)
    return try impact(on: contexts, named: contexts.map { $0[keyPath: identifier] }, of: change)
  }

  /// Computes how a change would affect the choices in the given contexts, which the result numbers.
  ///
  /// See ``impact(on:by:of:)``.
  ///
  /// - Parameters:
  ///   - contexts: The contexts, such as recorded ones.
  ///   - change: Makes the change in the injector that it receives.
  /// - Returns: The services and the contexts that would get another candidate.
  /// - Throws: The error that the change throws.
  public func impact<Context: Sendable>(
    on contexts: some Sequence<Context>, of change: (Injector) throws -> Void
  ) throws -> Impact {
    let contexts = Array(contexts)
    return try impact(on: contexts, named: contexts.indices.map { "#\($0 + 1)" }, of: change)
  }

  private func impact<Context: Sendable>(
    on contexts: [Context], named names: [String], of change: (Injector) throws -> Void
  ) throws -> Impact {
    let before = Sandbox.run(as: .trial) { choices(in: contexts, for: $0.copy(of: self)) }
    let after = try Sandbox.run(as: .trial) { sandbox in
      let copy = sandbox.copy(of: self)
      try change(copy)
      return choices(in: contexts, for: copy)
    }
    return Impact(of: names, before, after)
  }

  /// The choice for each service in each of the contexts.
  private func choices<Context: Sendable>(in contexts: [Context], for injector: Injector) -> [Key: [ImpactChoice]] {
    var choices: [Key: [ImpactChoice]] = [:]
    for visible in injector.visibleCells where visible.isChosen(by: Context.self) {
      let key = visible.registration.key
      guard let cell = injector.foundCell(of: key) else { continue }
      choices[key] = contexts.map { context in
        do throws(InjectorError) {
          return ImpactChoice(candidate: try cell.winner(in: context, for: injector), error: nil)
        } catch {
          return ImpactChoice(candidate: nil, error: error.headline)
        }
      }
    }
    return choices
  }
}

extension Cell {
  /// Whether the candidates are chosen by contexts of the type, or need no context.
  fileprivate func isChosen(by context: any Any.Type) -> Bool {
    if registration.key.type is any TypedKey.Type { return false }
    guard let order else { return true }
    return order.contextType == context || order.contextType == Injector.self
  }

  /// The id of the chosen candidate, which is not made.
  fileprivate func winner<Context: Sendable>(
    in context: Context, for injector: Injector
  ) throws(InjectorError) -> String? {
    let isGiven = order?.contextType == Context.self
    return try injector.winner(of: registration.key, in: isGiven ? ContextReference(copying: context) : nil)
  }
}

/// The chosen candidate, or the reason why there is none.
private struct ImpactChoice: Hashable {
  let candidate: String?
  let error: String?
}

extension Impact {
  fileprivate init(of contexts: [String], _ before: [Key: [ImpactChoice]], _ after: [Key: [ImpactChoice]]) {
    let absent = ImpactChoice(candidate: nil, error: nil)
    let keys = Set(before.keys).union(after.keys)
    let names = DistinctNames(Array(keys))
    var (moves, affected) = ([Move](), Set<Int>())
    for (name, key) in keys.map({ (names.name(of: $0), $0) }).sorted(by: { $0.0 < $1.0 }) {
      var places: [[ImpactChoice]: Int] = [:]
      var found: [(from: ImpactChoice, to: ImpactChoice, contexts: [String])] = []
      for (index, context) in contexts.enumerated() {
        let (from, to) = (before[key]?[index] ?? absent, after[key]?[index] ?? absent)
        if from == to { continue }
        affected.insert(index)
        if let place = places[[from, to]] {
          found[place].contexts.append(context)
        } else {
          places[[from, to]] = found.count
          found.append((from, to, [context]))
        }
      }
      moves += found.map { from, to, contexts in
        Move(service: name, from: from.candidate, to: to.candidate, error: to.error, contexts: contexts)
      }
    }
    self.init(contextCount: contexts.count, affectedCount: affected.count, moves: moves)
  }
}
