/// A method of shipping.
package protocol Shipping: Sendable {
  var name: String { get }

  /// Returns the cost of delivery, in cents.
  func cost(of grams: Int) -> Int
}

package struct ParcelShipping: Shipping {
  package let name = "parcel"
  package init() {}
  package func cost(of grams: Int) -> Int { 490 + grams / 1000 * 150 }
}

package struct FreeShipping: Shipping {
  package let name = "free"
  package init() {}
  package func cost(of grams: Int) -> Int { 0 }
}

package struct CourierShipping: Shipping {
  package let name = "courier"
  package init() {}
  package func cost(of grams: Int) -> Int { 990 }
}
