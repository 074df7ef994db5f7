/// Traps with a diagnostic at the location of the failed call.
@usableFromInline
package func trap(_ headline: String, _ error: InjectorError, _ fileID: StaticString, _ line: UInt) -> Never {
  fatalError("\(headline)\n\(error)", file: fileID, line: line)
}

/// Returns the result of a closure, or traps with a diagnostic if it throws.
@inlinable
package func orTrap<Value>(
  _ headline: @autoclosure () -> String, _ fileID: StaticString, _ line: UInt,
  _ body: () throws(InjectorError) -> Value
) -> Value {
  do throws(InjectorError) {
    return try body()
  } catch {
    trap(headline(), error, fileID, line)
  }
}
