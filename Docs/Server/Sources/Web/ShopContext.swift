package import Foundation
package import Hummingbird

/// The context in which hummingbird handles a request.
package struct ShopContext: RequestContext {
  package var coreContext: CoreRequestContextStorage

  package init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
  }

  package var responseEncoder: JSONEncoder { Self.encoder }

  // All requests share one encoder: making one takes longer than a small response.
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
}
