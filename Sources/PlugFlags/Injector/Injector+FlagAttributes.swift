public import Plug
import PlugKeys
import Synchronization

extension Injector {
  /// Attributes that evaluations by this injector and its scopes add to their contexts.
  ///
  /// ```swift
  /// services.flagAttributes = ["region": "eu", "version": "3.1.0"]  // of the program
  /// request.flagAttributes["tenant"] = "acme"                       // of a request
  /// services.flag(.newCheckout, in: shopper)                        // of the call
  /// ```
  ///
  /// An attribute of the call's context comes before those of a scope, and these before those of its parents, even if
  /// it is null. Rules about flags look at them too. Whatever follows the flags of the injector, such as
  /// `selections(of:in:)`, follows its attributes, and a choice uses those that its first rule has found. An isolated
  /// test has a copy. A document that you evaluate yourself knows no injector, and looks at the given context alone.
  ///
  /// Setting them in a closed injector has no effect.
  public var flagAttributes: FlagAttributes {
    get { active.attachment(GlobalAttributes.self)?.attributes ?? FlagAttributes() }
    set {
      let injector = active
      guard !injector.isClosedItself, let properties = try? Properties.of(injector, for: Flags.self) else { return }
      GlobalAttributes.areUsed.store(true, ordering: .relaxed)
      injector.updateAttachment(GlobalAttributes.self) { _ in GlobalAttributes(newValue) }
      properties.tell(of: Flags.self)
    }
  }

  /// The attributes that evaluations by this injector add; `nil` if there are none.
  func globalAttributes() throws(InjectorError) -> GlobalAttributes? {
    if !GlobalAttributes.areUsed.load(ordering: .relaxed) { return nil }
    let known = try steady { () throws(InjectorError) in
      GlobalAttributes(active.levels.compactMap { $0.attachment(GlobalAttributes.self)?.attributes })
    }
    return known.attributes == FlagAttributes() ? nil : known
  }
}

/// The global attributes of an injector, or of an injector and its parents.
final class GlobalAttributes: Attachment {
  /// Whether the process has any. Without them, an evaluation does not look for them.
  static let areUsed = Atomic(false)

  let attributes: FlagAttributes

  init(_ attributes: FlagAttributes) { self.attributes = attributes }

  /// - Parameter levels: The attributes of an injector and of its parents, the innermost first.
  convenience init(_ levels: [FlagAttributes]) {
    var all = FlagAttributes()
    for level in levels {
      all.attributes.merge(level.attributes) { inner, _ in inner }
      all.privateAttributes.formUnion(level.privateAttributes)
    }
    self.init(all)
  }

  func copy(for injector: Injector) -> GlobalAttributes? { self }
}

/// A context with the global attributes below its own.
struct LayeredContext<Context: FlagContext>: FlagContext {
  let context: Context
  let global: FlagAttributes

  var targetingKey: String? { context.targetingKey ?? global.targetingKey }
  var attributes: [String: FlagValue] { global.attributes.merging(context.attributes) { $1 } }

  func attribute(_ name: String) -> FlagValue? { context.attribute(name) ?? global.attributes[name] }
}
