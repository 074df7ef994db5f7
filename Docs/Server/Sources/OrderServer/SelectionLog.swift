package import Logging
import Metrics
package import Plug
import PlugKeys
import PlugLogging
import PlugOperations
import Shop

extension Injector {
  /// Logs and counts the candidates that are chosen for shoppers.
  ///
  /// - Returns: Tokens that end both when they are released.
  package func logSelections(to logger: Logger) -> [ObservationToken] {
    [
      logSelections(by: \Shopper.id, named: "shopper", to: logger),
      onSelection(.each(by: \Shopper.id)) { exposure in
        Counter(
          label: "orders.selections", dimensions: [("point", exposure.point), ("candidate", exposure.candidate)]
        ).increment()
      },
    ]
  }
}
