public import Configuration
public import Plug
public import PlugKeys

/// The configuration whose settings rules read.
///
/// ```swift
/// services[Settings.self] = configuration.snapshot()
/// try await services.followSettings(of: configuration)
/// ```
///
/// The value is a snapshot, so a rule needs no provider at the time of a choice. Like other properties, it can be
/// observed, a scope can have its own, and an isolated test has its own.
public enum Settings: Property {
  /// A configuration without settings.
  public static var defaultValue: ConfigSnapshotReader {
    ConfigReader(provider: InMemoryProvider(values: [:])).snapshot()
  }
}

extension Injector {
  /// Sets ``Settings`` to the current settings of a configuration, and to each later snapshot, until the task is
  /// cancelled.
  ///
  /// Run it in a service of a service group, beside the reloading providers of the configuration.
  ///
  /// - Parameter configuration: The configuration.
  /// - Throws: The error of a provider that cannot be watched.
  public func followSettings(of configuration: ConfigReader) async throws {
    try await configuration.watchSnapshot { snapshots in
      for await snapshot in snapshots { self[Settings.self] = snapshot }
    }
  }
}
