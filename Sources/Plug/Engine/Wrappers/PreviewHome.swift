/// The preview that a property was made in, so that the property gets its value from the copies there whenever it is
/// read.
///
/// A property holds the preview alive, unless an instance has it that the copies keep: the two would never be released.
@usableFromInline
final class PreviewHome: Sendable {
  private let held: Sandbox?
  private weak let known: Sandbox?

  /// The number of it, which it leaves to what gives it up.
  private let number: UInt

  /// Finds the preview that the calling code runs in; `nil` if it runs in none.
  @usableFromInline
  init?() {
    guard let sandbox = Sandbox.current, sandbox.isPreview else { return nil }
    (known, number) = (sandbox, sandbox.number)
    held = ThreadContext.current.isWithin(.max) ? sandbox : nil
  }

  /// The preview, as long as anyone has it.
  var sandbox: Sandbox? { known }

  /// Whether the calling code runs in another sandbox, inside of the preview or in place of it.
  var hasInner: Bool { Sandbox.current.map { $0 !== known && $0.isInside(number) } ?? false }

  /// The error of a property that is read when the preview has been released.
  func over(for service: any Any.Type, _ source: borrowing InjectedSource) throws(InjectorError) -> InjectorError {
    var facts = InjectorError.Facts(
      about: ServiceKey(service, source.tag), in: try source.injector(for: service))
    facts.isOfPreview = true
    return .closed(facts).asked(at: source.fileID, source.line)
  }
}
