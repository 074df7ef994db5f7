/// A checkout with one question per page.
struct StepwiseCheckout: Checkout {
  let name = "stepwise"
  let pages = ["address", "payment", "review"]
}

/// A checkout with all questions on one page.
struct SinglePageCheckout: Checkout {
  let name = "single-page"
  let pages = ["order"]
}

/// A checkout on the web site, for apps whose own checkout is no longer supported.
struct WebCheckout: Checkout {
  let name = "web"
  let pages = ["web location"]
}
