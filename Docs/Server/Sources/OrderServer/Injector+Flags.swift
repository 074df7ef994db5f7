package import Configuration
package import Logging
package import Plug
import PlugConfiguration
package import PlugFlags
package import Shop

extension Injector {
  /// Registers the services that flags decide, and follows the flag file from the injector's start until it is closed.
  ///
  /// - Parameters:
  ///   - configuration: Names the file in `flags.file`. The start waits until the file has a flag document.
  ///   - interval: The time between two checks of the file.
  ///   - logger: Receives the problems. While the file cannot be read, the last good document stays current.
  package func registerFlags(
    configuredBy configuration: ConfigReader, every interval: Duration = .milliseconds(500), logger: Logger
  ) throws {
    let file = try FlagFile(configuredBy: configuration, every: interval) { error in
      logger.error("flags cannot be read", metadata: ["error": "\(error)"])
    }
    let documents = file.map { document in
      for problem in document.problems { logger.error("flag is wrong", metadata: ["problem": "\(problem)"]) }
      return document
    }
    try register(.following(documents, named: "flags.json"))
    try contribute(
      (any Shipping).self, .lazySingleton { FreeShipping() },
      when: Rule<Shopper>.flag("free-shipping"), id: "campaign", priority: 10)
  }
}

extension Shopper: ListedFlagContext {
  package static let flagAttributes = FlagAttributeList<Shopper>(
    targetingKey: \.id,
    [
      .init("country", \.country),
      .init("appVersion", \.appVersion?.description),
      .init("tier", \.tier),
    ])
}

extension Shopper.Tier: FlagValueConvertible {}
