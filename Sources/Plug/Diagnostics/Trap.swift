/// Ends the program with the whole diagnosis, at the place in the user's code that asked.
@usableFromInline
func trap(_ headline: String, _ error: InjectorError, _ fileID: StaticString, _ line: UInt) -> Never {
  fatalError("\(headline)\n\(error)", file: fileID, line: line)
}

/// Gives the result, or ends the program with the diagnosis.
@inlinable
func orTrap<Value>(
  _ headline: @autoclosure () -> String, _ fileID: StaticString, _ line: UInt,
  _ body: () throws(InjectorError) -> Value
) -> Value {
  do throws(InjectorError) {
    return try body()
  } catch {
    trap(headline(), error, fileID, line)
  }
}
