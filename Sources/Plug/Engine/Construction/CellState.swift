/// What a cell needs from its first request on; made then, so that registering costs less.
///
/// It does not know the service's type, so that a cell that has none ends without a search for metadata.
final class CellState: Sendable {
  /// What makes the instance from arguments, if this belongs to a cell for some.
  let template: (any EntryPart)?

  /// The instance of a weak singleton: a `WeakInstance` of the cell's own service.
  let weakInstance: AnyWeakInstance?

  let claim = Guarded(Claim())

  let record = Guarded(Record())

  /// How an instance that is made asynchronously is loaded.
  let loading: Loading?

  /// What was made before it was wrapped, if that has to be closed.
  let inner = Published()

  /// The state of the cell that was registered, if this one has taken its place.
  let origin: CellState?

  /// What wraps the instance where it is registered, if this one wraps it in a scope.
  let outerDecorators: [String]

  /// How making the instance has gone lately, if others may take its place.
  let health: Health?

  init(
    template: (any EntryPart)? = nil, weakInstance: AnyWeakInstance? = nil, loading: Loading? = nil,
    origin: CellState? = nil, outerDecorators: [String] = [], health: Health? = nil
  ) {
    self.health = origin == nil ? health : origin?.health
    self.outerDecorators = outerDecorators
    self.origin = origin
    self.template = template
    self.weakInstance = weakInstance
    self.loading = loading
  }
}

/// Who may make the instance of a cell.
struct Claim {
  /// The attempt that is under way: a `TypedAttempt` of the cell's own service.
  var attempt: Attempt?

  /// How many loads are under way.
  var loads = 0

  var status = EntryStatus.own
}
