import Model
import Observation

/// The last pages that the user has opened.
@Observable
final class Navigator: Navigation {
  private(set) var path: [Product.ID] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func show(_ product: Product.ID) { path = (path + [product]).suffix(limit) }
}
