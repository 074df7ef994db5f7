/// Hooks that know dependencies which a registration does not state.
package protocol DependencyHooks: Hooks {
  /// The dependencies of a registration; `nil` if these hooks know no more of them than the registration.
  func knowledge(of registration: Registration) -> Knowledge?
}

/// The known dependencies of a registration.
package struct Knowledge: Sendable {
  package var needs: [Need]
  /// The closures that may have further dependencies.
  package var hiding: [String]

  fileprivate static let opaque = Knowledge(needs: [], hiding: ["its closure"])
  package static let configuration = "its configure closure"
}

/// A service that a closure or an initializer requests.
package struct Need: Sendable, Hashable {
  /// The source of the knowledge.
  package enum Origin: Sendable {
    /// The service is the context of a choice, or one of its candidates.
    case context, candidate
    /// From the parameters of an initializer.
    case known
    case declared
    /// From a run of the factory.
    case recorded
    /// From a run of a configuration, when the instance exists.
    case configured
  }

  /// The injector that receives the request.
  package enum Receiver: Sendable, Hashable {
    /// The injector that the closure receives.
    case handed
    /// The parent at a depth.
    case outer(Int32)
    /// A scope of that injector, which the closure has opened or received.
    case scope
  }

  package let key: Key
  package var origin: Origin
  /// Whether the closure can do without the service.
  package var isOptional = false
  /// Whether the closure may choose the service in a context of its own.
  var givesContext = false
  var receiver = Receiver.handed
  /// The depth of the injector in which the service was registered during the run; `nil` if it was registered in none.
  var depth: Int32?

  init(_ key: Key, _ origin: Origin, givesContext: Bool = false) {
    (self.key, self.origin, self.givesContext) = (key, origin, givesContext)
  }

  /// A request that a run has made.
  ///
  /// - Parameter depth: The depth of the injector in which the service was registered; `nil` if it was in none.
  package init(_ request: Request, _ origin: Origin, to receiver: Receiver, depth: Int32?) {
    self.init(request.key, origin, givesContext: request.givesContext)
    (isOptional, self.receiver, self.depth) = (request.isOptional, receiver, depth)
  }
}

extension Registration {
  /// The dependencies that are known without running a closure.
  package var knowledge: Knowledge {
    if case .opaque = recipe.needs, recipe.extras == nil, !isInheriting { return .opaque }
    var hiding: [String] = []
    var inherited: [Need] = []
    if isInheriting {
      inherited = [Need(key, .known)]
      inherited[0].receiver = .outer(depth - 1)
    }
    switch recipe.needs {
    case .declared(let keys):
      return Knowledge(needs: keys.map { Need($0, .declared, givesContext: true) }, hiding: [])
    case .opaque: hiding.append(maker == nil ? "its closure" : "its closure with arguments")
    case .nothing, .wired, .absent: break
    }
    if let values = recipe.extras?.values {
      if !values.configurations.isEmpty { hiding.append(Knowledge.configuration) }
      hiding += values.wraps.map { "the decorator \($0.id)" }
    }
    guard case .wired(let keys) = recipe.needs else { return Knowledge(needs: inherited, hiding: hiding) }
    return Knowledge(needs: keys.map { Need($0, .known) }, hiding: hiding)
  }
}
