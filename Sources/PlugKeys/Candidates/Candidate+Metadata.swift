public import Plug

extension Candidate {
  /// Returns the candidate with a value that describes it, such as the title and the icon of a plugin.
  ///
  /// ```swift
  /// struct Entry { let title, icon: String }
  ///
  /// PluginPoint<any Exporter, Document>("export") {
  ///   Candidate("pdf") { PDFExporter() }
  ///     .metadata(Entry(title: "PDF", icon: "doc"))
  /// }
  /// ```
  ///
  /// ``ListedCandidate/metadata(_:)`` returns the value before an instance exists.
  ///
  /// - Parameter metadata: The value. It replaces an earlier value of the same type.
  public func metadata<Metadata: Sendable>(_ metadata: Metadata) -> Self {
    mappingInjection { $0.metadata(metadata) }
  }
}

extension Injection {
  /// Returns the injection with a value that describes the service, for a contribution or a single registration. See
  /// ``Plug/Candidate/metadata(_:)``.
  ///
  /// - Parameter metadata: The value. It replaces an earlier value of the same type.
  public func metadata<Metadata: Sendable>(_ metadata: Metadata) -> Self {
    adding(metadata, of: MetadataKey<Metadata>.self)
  }
}
