extension GraphAnalysis {
  /// The name of the service, with its tag.
  func name(of service: Int) -> String { services[service].entry.key.name }

  /// The name of the service, with the candidate's id and the lifetime.
  func description(of part: Part) -> String { "\(part.cell.declaration.name) (\(part.lifetime))" }

  /// Where the service is registered.
  func location(of service: Int) -> CodeLocation { services[service].entry.location }
}
