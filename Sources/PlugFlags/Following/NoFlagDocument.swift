/// The error of a sequence of documents that has ended without one.
public struct NoFlagDocument: Error, Hashable, CustomStringConvertible {
  /// The error with a remedy.
  public var description: String {
    """
    The sequence of flag documents has ended without one
    To fix this: let it yield a document first, such as the one that the program is delivered with
    """
  }
}
