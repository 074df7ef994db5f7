public import Logging
public import Plug
import PlugOperations

extension Injector {
  /// Logs each choice of a candidate, and each flag that code reads, in contexts of one type.
  ///
  /// ```swift
  /// let token = services.logSelections(by: \Shopper.id, to: logger)
  /// ```
  ///
  /// The message is `selected`, its level is `info`, and its metadata has the `candidate`, the `point`, the `reason`
  /// and the `identifier`.
  ///
  /// - Parameters:
  ///   - identifier: The property that identifies a context, such as the id of an account. The log contains its values.
  ///   - name: The key of the identifier in the metadata.
  ///   - logger: The logger.
  /// - Returns: A token that ends the log when it is cancelled or released.
  public func logSelections<Context: Sendable>(
    by identifier: any KeyPath<Context, String> & Sendable, named name: String = "identifier", to logger: Logger
  ) -> ObservationToken {
    onSelection(.each(by: identifier)) { exposure in
      logger.info(
        "selected",
        metadata: [
          "candidate": "\(exposure.candidate)", "point": "\(exposure.point)", "reason": "\(exposure.reason.rawValue)",
          name: "\(exposure.identifier ?? "")",
        ])
    }
  }
}
