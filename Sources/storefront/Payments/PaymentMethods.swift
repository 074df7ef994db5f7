/// Payment by credit or debit card.
struct CardPayment: PaymentMethod {
  let name = "card"
}

/// Payment after the goods have arrived.
struct InvoicePayment: PaymentMethod {
  let name = "invoice"
}

/// Payment in cash on delivery.
struct CashPayment: PaymentMethod {
  let name = "cash"
}

/// Payment with a card stored on the device.
struct WalletPayment: PaymentMethod {
  let name = "wallet"
}
