package import Configuration
package import Logging
package import Plug
import PlugConfiguration
package import PlugFlags
import PlugFlagsHTTP
import PlugKeys
package import Shop

extension Injector {
  /// Registers the services that flags decide, and follows the document from the injector's start until it is closed.
  ///
  /// - Parameters:
  ///   - configuration: Has the URL of a document in `flags.url`, or the path of one in `flags.file`. The start waits
  ///     until it has been read.
  ///   - interval: The time between two checks of the file.
  ///   - logger: Receives the problems. While the document cannot be read, the last good one stays current.
  package func registerFlags(
    configuredBy configuration: ConfigReader, every interval: Duration = .milliseconds(500), logger: Logger
  ) throws {
    let report = { @Sendable (error: FlagDocumentError) in
      logger.error("flags cannot be read", metadata: ["error": "\(error)"])
    }
    if let url = configuration.string(forKey: "flags.url") {
      try follow(FlagServer(url, onProblem: report), logger)
    } else {
      try follow(FlagFile(configuredBy: configuration, every: interval, onProblem: report), logger)
    }
    try contribute(
      (any Shipping).self, .lazySingleton { FreeShipping() },
      when: Rule<Shopper>.flag("free-shipping"), id: "campaign", priority: 10)
  }

  private func follow(_ source: some FlagDocumentSequence, _ logger: Logger) throws(InjectorError) {
    try register(
      .lazySingleton { injector in
        // Waits for a document: the following itself would throw if there is none at the start.
        let first = try await source.first { _ in true }
        let observation = injector.observe(Flags.self) { document in
          for problem in document.problems { logger.error("flag is wrong", metadata: ["problem": "\(problem)"]) }
        }
        // Follows the source itself, not a sequence made from it, which could not report that it is stale.
        let following = try await injector.follow(source, named: "flags.json", beginningWith: first)
        return FollowedFlags(following, observation)
      }.onClose { $0.following.cancel() })
  }
}

/// The following of flags, and the logging of their problems.
private final class FollowedFlags: Sendable {
  let following: FlagFollowing
  private let observation: ObservationToken

  init(_ following: FlagFollowing, _ observation: ObservationToken) {
    (self.following, self.observation) = (following, observation)
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
