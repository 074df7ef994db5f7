import Synchronization

/// A registry of services: it stores how each service is made, and provides the instances.
///
/// ```swift
/// let services = Injector("services")
/// try services.register(
///   Networking.self, .lazySingleton { HTTPNetworking() })
/// let network = try services.get(Networking.self)
/// ```
///
/// An injector can be used from any thread. It makes a lazy singleton once, however many threads request it, and holds
/// no lock while a factory, a rule or a configuration runs.
///
/// - Important: Request the services that a factory needs from the injector that the factory receives. A factory that
///   captures its own injector forms a reference cycle with it, so that neither is ever released.
public final class Injector: Sendable {
  // In the order in which they take the least memory.
  /// The name by which code can find the injector; `nil` if it has none.
  public let name: Name?

  /// The injector this one is a scope of; `nil` if it is not a scope.
  public let parent: Injector?

  let scopeName: String?
  /// Distinguishes this injector from every other, even from a later one at the same address.
  package let number: UInt
  /// The number of the sandbox that the injector was made in; 0 if it was made in none.
  package let sandbox: UInt
  let birth: Birth
  /// The number of parents.
  package let depth: Int32

  /// Whether a service may be registered again, so that the later registration replaces the earlier one.
  ///
  /// Scopes inherit the setting.
  let allowRewrite: Bool

  /// Whether the injector keeps the instances of a point that is used without an injector, including scoped ones.
  let isHome: Bool
  let state: Guarded<State>
  @usableFromInline let shortWay: ShortWay
  /// The number of scopes of this injector that are open.
  let openScopes = Atomic(0)

  struct State {
    enum Phase {
      case open
      /// Registrations cannot change; `sealed` has them.
      case sealed
      /// No instance is made or kept, and nothing is registered.
      case closed
    }

    // In the order in which they take the least memory.
    var table = Table()
    /// The table that `seal()` has made. It remains until the injector is deallocated, because threads may read it.
    var sealed: SealedTable?
    var kept = KeptCells()
    var phase: Phase
    /// Whether a service that is made from arguments has been registered here.
    var takesArguments = false
    /// The number of changes to registrations and attachments here.
    var changes = 0
    /// The objects of layers.
    var attachments: [any Attachment] = []
    var rare: Rare?

    init(_ phase: Phase = .open) { self.phase = phase }

    /// Parts that few injectors have.
    final class Rare: OnDemand {
      /// What a copy copies; `nil` in an injector that is no copy.
      var origin: Origin?
      /// The number of hooks that see all requests, here and in the scopes inside.
      var hooks = 0
      /// Cells whose instances are being loaded.
      var loads: [Cell] = []
      var closing: Closing?
      /// The closings of instances that were released before and are still being closed.
      var leaving: [Closing] = []
    }

    var origin: Origin? { rare?.origin }
    var hooks: Int { rare?.hooks ?? 0 }
    var loads: [Cell] { rare?.loads ?? [] }
    var closing: Closing? { rare?.closing }
    var leaving: [Closing] { rare?.leaving ?? [] }

    /// The cell of a key. A provider adds itself also to a sealed injector.
    @inline(__always) func cell(of key: Key) -> Cell? {
      if phase == .closed { return nil }
      return sealed?.cell(of: key) ?? (table.count == 0 ? nil : table[key])
    }

    /// The cells whose instances threads are making, if closing the injector has to wait for them: what they need must
    /// not be closed before.
    var beingMade: [Cell] {
      let made = (kept.cells + cells).flatMap(\.parts).filter(\.isBeingMade)
      return kept.areClosable || made.contains(where: \.registration.isClosable) ? made : []
    }

    /// Keeps given instances that are closed with the injector.
    mutating func keep(handedIn cells: some Sequence<Cell>) {
      for cell in cells where cell.registration.isHandedIn && cell.registration.isClosable { kept.append(cell) }
    }

    var cells: [Cell] { phase == .closed ? [] : (sealed?.cells ?? []) + table.cells }
  }

  /// The work that opened a scope, or that made another injector.
  struct Birth {
    let work: UInt
    /// The loads during which it was opened.
    let loads: [UInt]
    let moment: UInt32
  }

  /// How deep scopes may be nested.
  static let depthLimit: Int32 = 200

  init(named name: Name?, allowRewrite: Bool, sandbox: UInt, isHome: Bool = false) {
    self.isHome = isHome
    self.name = name
    self.allowRewrite = allowRewrite
    self.sandbox = sandbox
    parent = nil
    scopeName = nil
    depth = 0
    number = Work.makeID()
    birth = Birth(work: Self.callingTask, loads: [], moment: 0)
    state = Guarded(State())
    shortWay = ShortWay()
  }

  /// Creates a scope.
  init(scope scopeName: String, of parent: Injector, _ name: Name? = nil, isCopy: Bool = false) {
    self.name = name
    allowRewrite = parent.allowRewrite
    self.parent = parent
    self.scopeName = scopeName
    depth = parent.depth + 1
    sandbox = parent.sandbox
    isHome = false
    let (work, moment) = ThreadStack.current.with { stack in
      stack.own.moment &+= 1
      return (stack.work, stack.own.moment)
    }
    #if arch(arm) || arch(arm64_32) || arch(i386) || arch(wasm32)
      number = Work.makeID()  // Both parts do not fit into 32 bits.
    #else
      number = work &<< 32 | UInt(moment)
    #endif
    birth = Birth(work: isCopy ? 0 : work, loads: Work.areUnderWay ? Work.current?.ids ?? [] : [], moment: moment)
    // A scope that is nested too deeply is closed from the beginning.
    let isOpen = depth <= Self.depthLimit
    state = Guarded(State(isOpen ? .open : .closed))
    // The way of a scope in another scope would bypass the outer scope's registrations and its closing.
    shortWay = isOpen && !parent.isScope ? ShortWay(parent.shortWay) : ShortWay()
    if isOpen { countScope(1) }
  }

  deinit { end() }

  /// Counts a scope that is opened or closed, for its parent.
  func countScope(_ change: Int) { parent?.openScopes.add(change, ordering: .relaxed) }

  /// The number of the task or thread that created the injector or, for a scope, the outermost parent.
  package var creator: UInt { level(at: 0).birth.work }
}

extension Injector {
  var isScope: Bool { parent != nil }

  /// This injector and its parents, innermost first.
  package var levels: Levels { Levels(rest: self) }

  /// The injector at a depth: this one or a parent.
  package func level(at depth: Int32) -> Injector {
    var injector = self
    while injector.depth > depth, let parent = injector.parent { injector = parent }
    return injector
  }

  /// The injector that keeps the instance of a registration, as this one sees it; `nil` if no scope has the name.
  @inline(__always) func owner(of registration: Registration) -> Injector? {
    guard registration.lifetime == .scoped else { return level(at: registration.depth) }
    guard let name = registration.recipe.extras?.values.scopeName else {
      return isScope || isHome || registration.key.isOfProgram ? self : nil
    }
    return levels.first { $0.scopeName == name }
  }
}

/// An injector and its parents.
package struct Levels: Sequence, IteratorProtocol {
  fileprivate var rest: Injector?

  package mutating func next() -> Injector? {
    guard let level = rest else { return nil }
    rest = level.parent
    return level
  }
}
