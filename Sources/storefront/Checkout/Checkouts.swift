/// Asks for everything, one page after the other.
struct StepwiseCheckout: Checkout {
  let name = "stepwise"
  let pages = ["address", "payment", "review"]
}

/// Hands over to the web site, for apps whose own checkout is no longer supported.
struct WebCheckout: Checkout {
  let name = "web"
  let pages = ["web location"]
}
