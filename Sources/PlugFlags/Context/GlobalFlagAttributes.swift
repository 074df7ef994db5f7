public import Plug
public import PlugKeys

/// Attributes that evaluations by an injector add to their contexts, as a property of the injector.
///
/// ```swift
/// services[GlobalFlagAttributes.self] = ["region": "eu", "version": "3.1.0"]  // of the program
/// request[GlobalFlagAttributes.self]["tenant"] = "acme"                       // of a request, beside those
/// services.flag(.newCheckout, in: shopper)                                    // of the call
/// ```
///
/// An attribute of the call's context comes before a global one with its name, even if it is null. It is a property
/// like any other: a scope inherits the attributes of its parent until it is assigned its own, and an isolated test has
/// a copy. Rules about flags and the functions of an injector look at it, and a choice uses one value, as it uses one
/// document. A document that you evaluate yourself knows no injector, and looks at the given context only.
public enum GlobalFlagAttributes: Property {
  /// No attributes.
  public static var defaultValue: FlagAttributes { FlagAttributes() }
}

/// A context with the global attributes below its own.
@usableFromInline
struct LayeredContext<Context: FlagContext>: FlagContext {
  @usableFromInline let context: Context
  @usableFromInline let global: FlagAttributes

  @usableFromInline
  init(_ context: Context, over global: FlagAttributes) { (self.context, self.global) = (context, global) }

  @inlinable var targetingKey: String? { context.targetingKey ?? global.targetingKey }

  @inlinable func attribute(_ name: String) -> FlagValue? { context.attribute(name) ?? global.attributes[name] }

  @usableFromInline var attributes: [String: FlagValue] {
    global.attributes.merging(context.attributes) { $1 }
  }

  @usableFromInline var privateAttributes: Set<String> {
    global.privateAttributes.union(context.privateAttributes)
  }
}

extension Injector {
  /// The context of an evaluation by this injector; within a choice, with the global attributes that its first rule has
  /// read.
  @usableFromInline
  func layered<Context: FlagContext>(_ context: Context) throws(InjectorError) -> LayeredContext<Context> {
    let global: AnyBox = try steady { () throws(InjectorError) in try box(of: GlobalFlagAttributes.self) }
    return LayeredContext(context, over: global.open())
  }
}
