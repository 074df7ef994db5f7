package import Logging
import Metrics
package import Plug
import PlugKeys
import PlugOperations
import Shop

extension Injector {
  /// Logs and counts which candidates shoppers get.
  ///
  /// - Returns: What ends it when it is released.
  package func logSelections(to logger: Logger) -> ObservationToken {
    onSelection(.each(by: \Shopper.id)) { exposure in
      logger.info(
        "selected",
        metadata: [
          "candidate": "\(exposure.candidate)", "point": "\(exposure.point)", "reason": "\(exposure.reason.rawValue)",
          "shopper": "\(exposure.identifier ?? "")",
        ])
      Counter(
        label: "orders.selections", dimensions: [("point", exposure.point), ("candidate", exposure.candidate)]
      ).increment()
    }
  }
}
