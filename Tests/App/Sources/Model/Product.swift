/// What the shop sells.
package nonisolated struct Product: Identifiable, Hashable, Sendable {
  package let id: String
  package let name: String
  package let cents: Int

  package init(id: String, name: String, cents: Int) {
    self.id = id
    self.name = name
    self.cents = cents
  }
}
