/// A type of another module that is called like one of the tests.
package struct Twin: Sendable {
  package init() {}
}
