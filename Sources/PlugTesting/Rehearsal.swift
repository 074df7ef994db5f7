import Plug
import PlugIsolation

/// The result of making every registered service once.
struct Rehearsal {
  /// The errors of services that could not be made.
  private(set) var failures: [InjectorError] = []
  /// The subjects that were skipped, with the reasons.
  private(set) var omissions: [(subject: String, reason: String)] = []
  /// The injected properties of the instances that could not be read.
  private(set) var unreadable: [(property: String, error: InjectorError)] = []

  /// The instances, with the names of their services.
  private var made: [(name: String, box: AnyBox)] = []
  private let contexts: [any Sendable]
  private let arguments: [any Sendable]

  /// Makes all services of an injector, in the order of their names. Scoped services are made in a temporary scope,
  /// unless the injector is a scope.
  init(
    of injector: Injector, in contexts: [any Sendable], with arguments: [any Sendable], _ fileID: StaticString,
    _ line: UInt
  ) async {
    (self.contexts, self.arguments) = (contexts, arguments)
    let copy = injector.active
    if copy.levels.contains(where: \.isClosedItself) {
      failures = [copy.closedError()]
      return
    }
    let keys = Set(copy.levels.flatMap(\.cells).map(\.registration.key))
    let scope = copy.parent == nil ? copy.makeScope("complete", fileID: fileID, line: line) : copy
    do throws(InjectorError) {
      for context in contexts where scope !== copy { try Self.provide(context, in: scope) }
      for key in keys.sorted(by: { $0.text < $1.text }) { try await make(key, for: scope) }
    } catch {
      failures.append(error)
    }
    // After all services, because an asynchronous one may be read only when it has been loaded.
    await scope.run { await readProperties() }
    made = []
    if scope !== copy { failures += await scope.close() }
  }

  /// Registers a value in a scope, if scopes register their own value of its type and this one has not.
  private static func provide<Value: Sendable>(_ value: Value, in scope: Injector) throws(InjectorError) {
    guard case .absent? = try scope.cell(of: Key(Value.self))?.registration.needs else { return }
    try scope.register(.singleton(value))
  }

  private mutating func make(_ key: Key, for injector: Injector) async throws(InjectorError) {
    guard let cell = try injector.cell(of: key) else { return }
    guard let order = cell.order else { return await make(cell, for: injector) }
    var (applying, verdicts): ([Cell], [Int: Verdict]) = ([], [:])
    do {
      let known = contexts.filter { type(of: $0) == order.contextType }
      let given = known.isEmpty ? [nil] : known.map { ContextReference(copying: $0) }
      for context in given {
        for var choice in try injector.choices(of: key, in: context) {
          applying += try choice.listed().compactMap { entry, applies in applies ? entry.cell : nil }
          verdicts = choice.verdicts  // The last choice is the one among this service's candidates.
        }
      }
    } catch InjectorError.contextMissing(_, let context) {
      return omit(cell.parts, because: "no \(context) was given")
    } catch {
      return failures.append(InjectorError(error))
    }
    var settled: Set<ObjectIdentifier> = []
    for cell in applying where settled.insert(ObjectIdentifier(cell)).inserted { await make(cell, for: injector) }
    let rest = order.entries.enumerated().filter { position, entry in
      if case .refused = verdicts[position] { return false }
      return !settled.contains(ObjectIdentifier(entry.cell))
    }
    omit(rest.map(\.element.cell), because: "its rules are not satisfied")
  }

  private mutating func make(_ cell: Cell, for injector: Injector) async {
    do {
      let (box, missing) = try await injector.tryOut(cell, with: arguments)
      if let missing { omit([cell], because: "no \(missing) was given") }
      if let box { made.append((cell.registration.name, box)) }
    } catch {
      failures.append(InjectorError(error))
    }
  }

  private mutating func omit(_ cells: [Cell], because reason: String) {
    omissions += cells.map { ($0.registration.name, reason) }
  }
}

// MARK: Injected properties

extension Rehearsal {
  private mutating func readProperties() async {
    for (name, box) in made {
      guard let instance = Mirror(reflecting: box).children.first?.value else { continue }
      for (label, property) in injectedProperties(of: instance) {
        if let error = await error(of: property) { unreadable.append(("\(label) of \(name)", error)) }
      }
    }
  }

  private func error(of property: any InjectedProperty) async -> InjectorError? {
    do throws(InjectorError) {
      try property.read()
    } catch .mainActorRequired {
      return await MainActor.run {
        if case .failure(let error) = Result(catching: property.read) { error } else { nil }
      }
    } catch {
      return error
    }
    return nil
  }
}

/// An `Injected` property, whatever its type.
private protocol InjectedProperty: Sendable {
  func read() throws(InjectorError)
}

extension Injected: InjectedProperty {
  fileprivate func read() throws(InjectorError) { _ = try get() }
}

/// The injected properties of an instance and of the values in it. Other objects and collections are not searched:
/// objects are services of their own, or may refer to each other in a circle.
///
/// - Parameter depth: How many values are searched, one inside another.
private func injectedProperties(of instance: Any, depth: Int = 8) -> [(label: String, property: any InjectedProperty)] {
  sequence(first: Mirror(reflecting: instance), next: \.superclassMirror).flatMap(\.children).flatMap { child in
    let label = child.label.map { String($0.drop { $0 == "_" }) } ?? "a property"
    if let property = child.value as? any InjectedProperty { return [(label, property)] }
    guard depth > 0, let style = Mirror(reflecting: child.value).displayStyle,
      [.struct, .enum, .optional, .tuple].contains(style)
    else { return [] }
    return injectedProperties(of: child.value, depth: depth - 1)
  }
}
