package import Foundation
package import Hummingbird

/// What hummingbird knows about a request.
package struct ShopContext: RequestContext {
  package var coreContext: CoreRequestContextStorage

  package init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
  }

  package var responseEncoder: JSONEncoder { Self.encoder }

  // One for all requests: making one takes longer than a small answer.
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
}
