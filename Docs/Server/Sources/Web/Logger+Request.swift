package import Logging
package import Shop

extension Logger {
  /// Returns the logger of the request that the calling task handles: hummingbird's, with the ids of the request and
  /// the shopper.
  package static func request(of shopper: Shopper) -> Logger {
    var logger = Logger.current
    logger[metadataKey: "shopper"] = "\(shopper.id)"
    return logger
  }
}
