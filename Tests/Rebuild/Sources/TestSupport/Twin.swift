/// A type of another module that is called like one of the tests.
public struct Twin: Sendable {
  public init() {}
}
