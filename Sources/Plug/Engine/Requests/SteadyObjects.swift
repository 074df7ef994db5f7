/// What rules have read in a choice, so that everything which the choice leads to sees the same.
///
/// Otherwise a choice whose rules read a property one after the other could decide the first of them by its old value,
/// and the others by a new one.
struct SteadyObjects {
  private struct Element {
    let type: ObjectIdentifier
    let injector: Injector.Identity
    let object: AnyObject
  }

  /// The first is nearly always the only one.
  private var first: Element?
  private var others: [Element] = []

  /// What has been read of a type in an injector.
  ///
  /// Soundness of the cast: the type is compared, and `Element` gets it together with the object.
  func find<Object: AnyObject>(_ type: Object.Type, in injector: Injector.Identity) -> Object? {
    guard let found = match(first, type, injector) ?? others.lazy.compactMap({ match($0, type, injector) }).first
    else { return nil }
    return unsafe unsafeDowncast(found, to: Object.self)
  }

  private func match(_ element: Element?, _ type: any Any.Type, _ injector: Injector.Identity) -> AnyObject? {
    guard let element, element.type == ObjectIdentifier(type), element.injector == injector else { return nil }
    return element.object
  }

  mutating func keep<Object: AnyObject>(_ object: Object, in injector: Injector.Identity) {
    let element = Element(type: ObjectIdentifier(Object.self), injector: injector, object: object)
    if first == nil { first = element } else { others.append(element) }
  }
}

extension ThreadContext {
  /// The depth of the outermost choice, or explanation, that this thread is in; 0 if it is in none.
  private var outermostRules: Int {
    if steadyDepth > 0 { return steadyDepth }
    for level in 0..<depth where unsafe frames[level].rules != .none { return level + 1 }
    return 0
  }

  func steady<Object: AnyObject>(
    in injector: Injector, _ find: () throws(InjectorError) -> Object
  ) throws(InjectorError) -> Object {
    if steadyDepth > 0, let known = steady.find(Object.self, in: injector.identity) {
      // Whoever watches has to be told what is read, although it is known.
      if watchObject != nil { _ = try find() }
      return known
    }
    let object = try find()
    let depth = outermostRules
    if depth > 0 {
      steady.keep(object, in: injector.identity)
      steadyDepth = depth
    }
    return object
  }

  /// Lets go of what was kept, when nobody is in the property any more.
  @inline(never)
  func endSteady() {
    let ended = steady
    (steady, steadyDepth) = (SteadyObjects(), 0)
    withExtendedLifetime(ended) {}
  }
}

extension Injector {
  /// Finds an object that stays the same for the whole of a choice: for each rule of its candidates and of the points
  /// around them, also for the choices that these rules ask for.
  ///
  /// What the calling thread finds first counts until the outermost choice that it is in ends; an explanation counts as
  /// one. Outside of a choice it is found each time.
  ///
  /// - Parameter find: Finds the object, normally in a property. There is one of a type in each injector.
  package func steady<Object: AnyObject & Sendable>(
    _ find: () throws(InjectorError) -> Object
  ) throws(InjectorError) -> Object {
    let thread = ThreadContext.current
    return thread.depth == 0 ? try find() : try thread.steady(in: self, find)
  }
}
