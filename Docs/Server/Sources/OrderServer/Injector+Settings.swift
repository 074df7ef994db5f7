package import Configuration
package import Plug
import PlugConfiguration
import PlugKeys
import Shop

extension Injector {
  /// Registers the services that settings decide, and reads the settings once.
  ///
  /// While `payment.card-only` is true, because the other methods of payment are down, everybody pays by card.
  package func registerSettings(of configuration: ConfigReader) throws(InjectorError) {
    self[Settings.self] = configuration.snapshot()
    try contribute(
      (any Payment).self, .lazySingleton { CardPayment() },
      when: Rule<Shopper>.setting("payment.card-only", is: true), id: "card-only", priority: 10)
  }
}
