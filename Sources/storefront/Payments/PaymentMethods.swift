/// Payment by credit or debit card.
struct CardPayment: PaymentMethod {
  let name = "card"
}

/// Payment after the goods have arrived.
struct InvoicePayment: PaymentMethod {
  let name = "invoice"
}

/// Payment to whoever delivers the goods.
struct CashPayment: PaymentMethod {
  let name = "cash"
}

/// Payment with what the device has stored.
struct WalletPayment: PaymentMethod {
  let name = "wallet"
}
