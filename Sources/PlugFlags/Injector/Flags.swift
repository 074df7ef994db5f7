public import PlugKeys

/// The flag document in force, as a property of an injector.
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
/// It can be replaced at any time, on any thread. What is chosen then is chosen by one document from beginning to end:
/// all rules of a choice, and of the choices that these ask for, see the document that the first of them has read. So
/// does an explanation. A rule that is evaluated by itself, and each call of `flag(_:in:)`, reads the document anew. To
/// evaluate several flags by one document, get that once:
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
