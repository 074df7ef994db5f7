/// A type with the name of a type in another module of the tests.
package struct Twin: Sendable {
  package init() {}
}
