/// A method of payment.
package protocol Payment: Sendable {
  var name: String { get }
}

package struct CardPayment: Payment {
  package let name = "card"
  package init() {}
}

package struct InvoicePayment: Payment {
  package let name = "invoice"
  package init() {}
}

package struct WalletPayment: Payment {
  package let name = "wallet"
  package init() {}
}
