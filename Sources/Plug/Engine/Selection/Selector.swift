/// The candidates of one service, flattened and put into the order in which they are chosen.
///
/// Soundness of the unchecked conformance: immutable after `init`.
@safe
@usableFromInline
final class Selector<Service: Sendable, Context: Sendable>: AnySelector<Service>, @unchecked Sendable {
  let name: String
  let rule: Rule<Context>
  let elements: [PluginElement<Service, Context>]
  @usableFromInline let candidates: [CompiledCandidate]

  /// The same, for choosing: nobody counts the references to them then, or looks for the metadata of their type.
  ///
  /// Soundness: `candidates` keeps them.
  @usableFromInline let steps: [UnsafeRawPointer]

  @inlinable
  @inline(__always)
  func step(_ index: Int) -> Unmanaged<CompiledCandidate> { unsafe .fromOpaque(steps[index]) }

  /// What candidates with weights draw with, and the properties that identify a context.
  @usableFromInline let lots: [Lot]
  @usableFromInline let identifiers: [StoredProperty<Context, String>]

  /// Whether some candidates stand elsewhere than their priorities say.
  let isReordered: Bool

  /// Whether others take the place of some that cannot be made.
  @usableFromInline let toleratesFailures: Bool

  /// What has been found out about switches: a `SwitchMemory`.
  @usableFromInline let switchMemory = Published()

  init(
    name: String, rule: Rule<Context> = .enabled, elements: [PluginElement<Service, Context>],
    fallback: Cell<Service>? = nil, tag: Injector.Tag? = nil, location: CodeLocation,
    pointLocation: CodeLocation? = nil,
    reusing cells: Cells = [:]
  ) {
    self.name = name
    self.rule = rule
    self.elements = elements
    var flattening = Flattening<Service, Context>(tag: tag, existing: cells)
    flattening.add(elements, in: name, gatedBy: rule, under: nil)
    if let fallback { flattening.candidates.append(CompiledCandidate(fallback: fallback)) }
    let candidates = Self.arranged(flattening.candidates)
    let isClosable = candidates.contains { $0.cell.isClosable }
    self.candidates = candidates
    unsafe steps = candidates.addresses
    (lots, identifiers) = Self.lots(candidates)
    isReordered = candidates.contains { !$0.order.isEmpty }
    toleratesFailures = candidates.contains { $0.cell.toleratesFailure }
    super.init(
      contextType: Context.self, fallback: fallback, pointLocation: pointLocation,
      declaration: Declaration(Service.self, tag: tag, location: location), isClosable: isClosable)
  }

  /// The selector with another candidate, after those of the same priority.
  init(adding candidate: Candidate<Service, Context>, _ cell: Cell<Service>, to other: Selector) {
    name = other.name
    rule = other.rule
    elements = other.elements + [.candidate(candidate)]
    let count = other.fallback == nil ? other.candidates.count : other.candidates.count - 1
    let compiled = CompiledCandidate(candidate, in: other.name, ordinal: count, gate: nil, cell: cell)
    var candidates = other.candidates
    candidates.insert(compiled, at: candidates.firstIndex { compiled.precedes($0) } ?? candidates.endIndex)
    if other.isReordered { candidates = Self.arranged(candidates) }
    self.candidates = candidates
    unsafe steps = candidates.addresses
    (lots, identifiers) = other.lots.isEmpty ? ([], []) : Self.lots(candidates)
    isReordered = other.isReordered
    toleratesFailures = other.toleratesFailures || compiled.cell.toleratesFailure
    let isClosable = other.isClosable || compiled.cell.isClosable
    super.init(
      contextType: Context.self, fallback: other.fallback, pointLocation: other.pointLocation,
      declaration: other.declaration, isClosable: isClosable)
  }

  /// The selector with other cells.
  init(_ other: Selector, isCopy: Bool, replacing change: (Cell<Service>) -> Cell<Service>) {
    name = other.name
    rule = other.rule
    elements = other.elements
    let candidates = other.candidates.map { CompiledCandidate($0, with: change($0.cell)) }
    self.candidates = candidates
    unsafe steps = candidates.addresses
    (lots, identifiers, isReordered) = (other.lots, other.identifiers, other.isReordered)
    toleratesFailures = other.toleratesFailures
    let fallback = other.candidates.firstIndex { $0.cell === other.fallback }.map { candidates[$0].cell }
    super.init(
      contextType: Context.self, fallback: fallback, pointLocation: other.pointLocation, declaration: other.declaration,
      isClosable: other.isClosable, isCopy: isCopy)
  }

  /// What exposures say of the candidates: `ExposureTemplates`.
  @usableFromInline let exposures = Published()

  deinit {
    switchMemory.destroy(SwitchMemory.self)
    exposures.destroy(ExposureTemplates.self)
  }

  override func copied() -> AnyEntry { Selector(self, isCopy: true) { Cell(copying: $0) } }

  override func decorated(by decorations: [AnyDecoration]) -> AnyEntry {
    decorations.isEmpty ? self : Selector(self, isCopy: isCopy) { $0.wrapped(by: decorations) }
  }

  override func overlaid(
    by decorations: [AnyDecoration], in level: Int32, known: (AnyEntry) -> AnyEntry?
  ) -> AnyEntry {
    Selector(self, isCopy: isCopy) { $0.wrapped(by: decorations, in: level, unlessKnown: known) }
  }

  override func renewing(_ cells: Set<ObjectIdentifier>) -> AnyEntry {
    Selector(self, isCopy: isCopy) { $0.renewed(if: cells) }
  }

  @inlinable
  func first(in context: Context, for injector: Injector) throws(InjectorError) -> Service? {
    if injector.registrations.isOverseen { return try firstOverseen(in: context, for: injector) }
    guard let chosen = try choose(in: context, for: injector) else { return nil }
    if let built = unsafe built(chosen) { return unsafe built.pointee }
    return try instance(at: chosen, in: context, for: injector)
  }

  /// Where the instance of a candidate is, if it exists.
  @inlinable
  @inline(__always)
  func built(_ index: Int) -> UnsafeMutablePointer<Service>? {
    unsafe step(index)._withUnsafeGuaranteedRef { unsafe $0.cell.instance.pointer(to: Service.self) }
  }

  @inlinable
  func all(in context: Context, for injector: Injector) throws(InjectorError) -> [Service] {
    if injector.registrations.isOverseen || toleratesFailures {
      return try allOverseen(in: context, for: injector, isChecked: false).map(\.service)
    }
    let chosen = try indices(in: context, for: injector)
    var services: [Service] = []
    services.reserveCapacity(chosen.count)
    for index in chosen { services.append(try candidates[index].cell.instance(for: injector)) }
    return services
  }

  func identified(in context: Context, for injector: Injector) throws(InjectorError) -> [(id: String, service: Service)]
  { try allOverseen(in: context, for: injector, isChecked: false) }

  @inlinable
  @inline(__always)
  func applies(_ index: Int, in context: Context, from injector: Injector, _ cache: inout GateCache) -> Bool {
    unsafe step(index)._withUnsafeGuaranteedRef { $0.applies(in: context, from: injector, &cache) }
  }

  /// The place of the first candidate that applies, or of the one that is drawn among it and others, by the rules
  /// alone.
  ///
  /// - Throws: If none does, what has interrupted the choice.
  @inlinable
  func choose(in context: Context, for injector: Injector) throws(InjectorError) -> Int? {
    let thread = try unsafe Resolution.beginRules(of: self, in: injector)
    defer { unsafe Resolution.endRules(thread) }
    var cache = GateCache()
    for index in unsafe 0..<steps.count where applies(index, in: context, from: injector, &cache) {
      return lots.isEmpty ? index : drawn(index, in: context, from: injector, &cache)
    }
    if let interruption = unsafe Resolution.interruption(of: thread) { throw interruption }
    return nil
  }

  /// The places of all candidates that apply, in order, by the rules alone.
  ///
  /// - Throws: If there are none, what has interrupted the choice.
  @inlinable
  func indices(in context: Context, for injector: Injector) throws(InjectorError) -> [Int] {
    var chosen: [Int] = []
    do {
      let thread = try unsafe Resolution.beginRules(of: self, in: injector)
      defer { unsafe Resolution.endRules(thread) }
      var cache = GateCache()
      chosen.reserveCapacity(candidates.count)
      for index in unsafe 0..<steps.count where applies(index, in: context, from: injector, &cache) {
        chosen.append(index)
      }
      if chosen.isEmpty, let interruption = unsafe Resolution.interruption(of: thread) { throw interruption }
    }
    return lots.isEmpty ? chosen : drawn(chosen, in: context)
  }

  override var parts: [any EntryPart] { candidates.map(\.cell) }

  override func settle(at depth: Int32) {
    super.settle(at: depth)
    for candidate in candidates { candidate.cell.settle(at: depth) }
  }

  var decorators: [String] { candidates.first?.cell.decorators ?? [] }

  override var choice: Choice? {
    Choice(
      context: ServiceKey(Context.self, nil), constants: candidates.map(\.constant),
      rivals: candidates.map { $0.draw == nil ? nil : $0.priority })
  }

  override func location(of candidate: String) -> CodeLocation? {
    candidates.first { $0.id == candidate && $0.cell !== fallback }?.cell.declaration.location
  }

  override var isEmpty: Bool { elements.isEmpty }

  override func replacingFallback(_ cell: Cell<Service>?) -> AnySelector<Service> {
    Selector(registered: elements, fallback: cell, tag: declaration.tag, pointLocation: pointLocation, reusing: cells)
  }

  override func removing(_ id: String) -> AnySelector<Service>? {
    location(of: id) == nil ? nil : without(id)
  }

  override func without(_ module: ModuleNumber) -> AnyEntry? {
    var rest: AnySelector<Service> = self
    for candidate in candidates where candidate.cell.declaration.module == module {
      rest = candidate.cell === fallback ? rest.replacingFallback(nil) : rest.removing(candidate.id) ?? rest
    }
    return rest.isEmpty ? rest.fallback : rest
  }

  override func request(for injector: Injector) throws(InjectorError) -> Service {
    let context = try context(from: injector)
    if !injector.registrations.isOverseen, !toleratesFailures {
      guard let chosen = try choose(in: context, for: injector) else { throw noCandidate(in: context, for: injector) }
      return try unsafe step(chosen).takeUnretainedValue().cell.instance(for: injector)
    }
    return try requestStepwise(in: context, for: injector)
  }

  override func first(for injector: Injector) throws(InjectorError) -> Service? {
    try first(in: context(from: injector), for: injector)
  }

  @usableFromInline
  override func all(for injector: Injector) throws(InjectorError) -> [Service] {
    try all(in: context(from: injector), for: injector)
  }

  override func identified(for injector: Injector) throws(InjectorError) -> [(id: String, service: Service)] {
    try identified(in: context(from: injector), for: injector)
  }

  override var isContextFree: Bool {
    Context.self == Injector.self && pointLocation == nil
      && elements.allSatisfy(\.isContribution)
  }

  override func contributing(
    _ candidate: Candidate<Service, Injector>, _ cell: Cell<Service>, allowRewrite: Bool
  ) throws(Refusal) -> Entry<Service> { try added(candidate, cell, allowRewrite: allowRewrite) }

  override func rebased<Other: Sendable>(on context: Other.Type) -> Selector<Service, Other>? { free(of: context) }

  override func winner(for injector: Injector) throws(InjectorError) -> String? {
    try winner(in: context(from: injector), for: injector)
  }

  override func prerequisite<Other: Sendable>(
    in context: Other, for injector: Injector
  ) throws(InjectorError) -> String? {
    guard let context = context as? Context ?? injector as? Context else {
      throw otherContext(Other.self, in: injector)
    }
    return try winner(in: context, for: injector)
  }

  override func explanation<Other: Sendable>(in context: Other, for injector: Injector) -> Explanation? {
    (context as? Context ?? injector as? Context).map { explanation(in: $0, for: injector) }
  }

  override var pointIDs: [String] {
    guard pointLocation != nil, case .point(let point) = elements.first else { return [name] }
    return [point.id, name]
  }

  override var sort: CandidateSort? { isReordered ? Self.sort(candidates.sorted { $0.precedes($1) }) : nil }
  override var prerequisites: [Prerequisite] { elements.flatMap(\.prerequisites) }
  override var mentions: [Mention] { elements.flatMap(\.mentions) }

  override func isSwitched(by entry: Switches.Switch) -> Bool { !ordinals(of: entry).isEmpty }

  override var candidatePaths: [String] { paths }

  override func explain(for injector: Injector) throws(InjectorError) -> Explanation {
    try explain(in: context(from: injector), for: injector)
  }
}
