import Model

struct ListPrices: PriceList {
  func cents(for product: Product) -> Int { product.cents }
}

/// A tenth less for members.
struct MemberPrices: PriceList {
  func cents(for product: Product) -> Int { product.cents - product.cents / 10 }
}
