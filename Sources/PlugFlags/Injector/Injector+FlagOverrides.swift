public import Plug
import PlugKeys

extension Injector {
  /// Gives a flag the same value in every context of an isolated test.
  ///
  /// ```swift
  /// @Test(.isolated) func oneClick() throws {
  ///   try services.override(flag: "checkout", is: "one-click")
  ///   #expect(try services.get(Checkout.self, in: shopper) is OneClick)
  /// }
  /// ```
  ///
  /// All other flags stay unchanged. The document need not have the flag. To override all flags, use
  /// `override(Flags.self, with: document)`.
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - value: The value, or the name of a variant, see ``PlugFlags/FlagDocument/replacing(flag:with:)``.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: `InjectorError.notIsolated` outside of an isolated test, `InjectorError.closed`.
  public func override(
    flag key: String, is value: FlagValue, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) {
    let injector = try isolatedForChange(of: Key(PropertyKey<Flags>.self))
    let document = try injector.get(Flags.self, fileID: fileID, line: line)
    try injector.set(Flags.self, to: document.replacing(flag: key, with: value), fileID: fileID, line: line)
  }
}
