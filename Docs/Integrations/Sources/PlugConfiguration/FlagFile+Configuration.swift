public import Configuration
public import PlugFlags

extension FlagFile {
  /// Creates a sequence of the flag documents in a file whose path a configuration names.
  ///
  /// ```swift
  /// try services.register(
  ///   .following(FlagFile(configuredBy: configuration)))
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: The configuration. It is read once: later changes of the path have no effect.
  ///   - key: The key of the path.
  ///   - interval: The time between two checks of the file.
  ///   - report: Receives the error if the file cannot be read as a document.
  /// - Throws: The error of the configuration if it has no such setting.
  public init(
    configuredBy configuration: ConfigReader, forKey key: ConfigKey = "flags.file",
    every interval: Duration = .milliseconds(500),
    onProblem report: @escaping @Sendable (FlagDocumentError) -> Void = { _ in }
  ) throws {
    self.init(try configuration.requiredString(forKey: key), every: interval, onProblem: report)
  }
}
