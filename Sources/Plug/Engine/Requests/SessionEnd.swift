/// What an outermost request, with all that is made for it, leaves to be done when it has ended.
struct SessionEnd {
  /// Configurations of instances that have been made, in the order in which they were made.
  var deferred: [Deferred] = []

  /// The instances that nobody else may see yet; `nil` while there are none.
  var publicationGroup: PublicationGroup?

  /// How often something has been made or got that still has to be configured, or published.
  var pendingUses = 0

  /// What properties keep when that has been done, by the properties.
  var provisional = IdentityMap<AnyObject, ProvisionalValue>()

  /// The instances that are shared with all that is made for the request.
  var graph: [GraphKey: GraphInstance] = [:]

  /// When an injector was created for the first time in the session; 0 if none has been.
  var moment: UInt = 0

  /// Attempts that have failed: their instances go with them.
  var leftovers: [Attempt] = []

  /// What closes instances that nobody gets, in order of construction.
  var work: [() -> Void] = []

  /// Whether instances must not be published yet.
  var isDeferring: Bool { !deferred.isEmpty || publicationGroup != nil }

  /// Makes what has been read provisionally what the properties keep.
  func keepProvisional() {
    for value in provisional.values { value.keep() }
  }

  /// Runs what closes instances, and releases the rest. Both run code of users.
  consuming func end() {
    for work in work.reversed() { work() }
  }
}

extension ThreadContext {
  /// Runs code of users when the session has ended; at once if there is none.
  func afterSession(_ work: @escaping () -> Void) {
    if isIdle { work() } else { sessionEnd.work.append(work) }
  }
}

/// A configuration that waits for the end of its session.
struct Deferred {
  let step: ResolutionStep
  let run: (ThreadContext) throws(InjectorError) -> Void
}

/// What a property keeps unless the session fails in which it has been read.
class ProvisionalValue {
  func keep() {}
}

/// An instance that one outermost request shares with all that is made for it.
class GraphInstance {}

struct GraphKey: Hashable {
  let cell: ObjectIdentifier
  let injector: Injector.Identity
}
