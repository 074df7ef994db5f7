public import PlugKeys

/// The current flag document, as a property of an injector.
///
/// ```swift
/// services[Flags.self] = try FlagDocument(contentsOfFile: "flags.json")
/// ```
///
/// Rules such as `.flag("new-checkout")` read it, and so does `services.flag(.newCheckout, in: shopper)`. It is a
/// property like any other: a scope may have a document of its own, an isolated test has its own copy,
/// `services.observe(Flags.self)` is called with each new document, and `services.selections(of:in:)` yields when a new
/// document makes another candidate win.
///
/// You can replace it at any time, on any thread. A choice uses one document: all of its rules, and the rules of the
/// choices that they request, see the document that the first rule has read. So does an explanation. A rule that you
/// evaluate directly, and each call of `flag(_:in:)`, reads the document again. To evaluate several flags with one
/// document, get it once:
///
/// ```swift
/// let document = services[Flags.self]
/// let isNew = document.evaluate(.newCheckout, in: shopper).value
/// let limit = document.evaluate(.basketLimit, in: shopper).value
/// ```
public enum Flags: Property {
  /// A document without flags.
  public static var defaultValue: FlagDocument { .empty }
}
