package import Logging
package import Shop

extension Logger {
  /// The logger of the request that the calling task answers: hummingbird's, with the id of the request, and whom it
  /// is for.
  package static func request(of shopper: Shopper) -> Logger {
    var logger = Logger.current
    logger[metadataKey: "shopper"] = "\(shopper.id)"
    return logger
  }
}
