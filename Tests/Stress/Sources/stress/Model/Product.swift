import Plug
import Synchronization
import TestSupport

/// An instance that records its origin and its closing.
final class Product: Sendable {
  /// The position in the order of construction within the round.
  let number: Int

  /// The registration of the instance.
  let source: Source

  /// The injector that its factory was handed.
  let maker: String

  /// The dependencies of the instance, and the instance that it wraps.
  let needs: [Product]
  let inner: Product?

  /// The decorators that wrap it, the first one first.
  let decorators: [String]

  private let configured = Atomic(false)
  private let closings = Atomic(0)
  private let closing = Atomic(Int.max)

  fileprivate init(_ source: Source, maker: String, needs: [Product]) {
    number = source.round.begin(source.name)
    (self.source, self.maker, self.needs) = (source, maker, needs)
    (inner, decorators) = (nil, [])
  }

  /// The wrapper that a decorator makes around an instance.
  init(wrapping inner: Product, by decorator: String) {
    number = inner.source.round.begin("\(decorator) of \(inner.source.name)")
    (source, maker, needs) = (inner.source, inner.maker, [])
    (self.inner, decorators) = (inner, inner.decorators + [decorator])
  }

  deinit {
    source.round.end(number)
    if inner == nil { source.onEnd?() }
  }

  /// The instance itself, without its wrappers.
  var core: Product { inner?.core ?? self }

  var timesClosed: Int { core.closings.load(ordering: .sequentiallyConsistent) }

  /// The moment of its closing, or `Int.max` before that.
  var closedAt: Int { core.closing.load(ordering: .sequentiallyConsistent) }

  func configure() {
    core.configured.store(true, ordering: .sequentiallyConsistent)
  }

  func close() {
    core.closing.store(source.round.tick(), ordering: .sequentiallyConsistent)
    core.closings.add(1, ordering: .sequentiallyConsistent)
  }

  /// The first product without its configuration, among this one and its dependencies.
  var unfinished: Product? {
    if source.isConfigured, !core.configured.load(ordering: .sequentiallyConsistent) { return self }
    return core.needs.lazy.compactMap(\.unfinished).first
  }
}

extension Product: CustomStringConvertible {
  var description: String { "\(source.name) \(core.number)" }
}

extension Round {
  /// Expects that each of the given products has been closed once, and releases them.
  func expectClosedOnce(_ products: Locked<[Product]>) {
    let all = products.withLock { products in
      defer { products = [] }
      return products
    }
    for product in all {
      expect(product.timesClosed == 1, "\(product) was closed \(product.timesClosed) times")
    }
  }
}

/// One registration, from its beginning to its end, and its instances.
final class Source: Sendable {
  let name: String

  /// The injector in which it is registered.
  let level: String

  let isConfigured: Bool
  let round: Round

  /// The action of an instance at its end.
  let onEnd: (@Sendable () -> Void)?

  private let attempted = Atomic(0)
  private let finished = Atomic(0)

  init(
    _ name: String, in injector: Injector, isConfigured: Bool = false, _ round: Round,
    onEnd: (@Sendable () -> Void)? = nil
  ) {
    (self.name, self.isConfigured, self.round, self.onEnd) = (name, isConfigured, round, onEnd)
    level = injector.description
  }

  /// The number of calls so far, with this one.
  func attempt() -> Int { attempted.add(1, ordering: .sequentiallyConsistent).newValue }

  func make(from injector: Injector, needs: [Product] = []) -> Product {
    make(from: injector.description, needs: needs)
  }

  func make(from maker: String, needs: [Product] = []) -> Product {
    finished.add(1, ordering: .sequentiallyConsistent)
    return Product(self, maker: maker, needs: needs)
  }

  /// The number of instances made.
  var made: Int { finished.load(ordering: .sequentiallyConsistent) }
}

/// The error that the factories of the soak throw.
struct Refused: Error {}

extension InjectorError {
  /// Whether a factory of the soak has thrown this.
  var isRefused: Bool {
    if case .constructionFailed(_, let error) = self { error is Refused } else { false }
  }

  /// Whether the error reports the failure of another request that had to finish an instance of this one.
  var isGivenUp: Bool {
    guard case .constructionFailed(_, let error) = self else { return false }
    return "\(error)".hasPrefix("another request has failed")
  }

  var isClosed: Bool { if case .closed = self { true } else { false } }
  var isMissing: Bool { if case .notRegistered = self { true } else { false } }
  var isCaptive: Bool { if case .captiveDependency = self { true } else { false } }
  var isMade: Bool { if case .instanceExists = self { true } else { false } }
  var isSealed: Bool { if case .sealed = self { true } else { false } }
}

extension Injector {
  /// The outcome of a get.
  func outcome(_ tag: Tag) -> Result<Product, InjectorError> {
    Result { () throws(InjectorError) in try get(Product.self, tag: tag) }
  }
}
