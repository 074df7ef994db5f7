extension Injector {
  /// Gets every implementation of a service that applies, here and in all parents.
  ///
  /// In a scope, a registration replaces the inherited one, so that ``getAll(_:tag:fileID:line:)`` returns only the
  /// scope's implementations. This method returns the inherited ones, too:
  ///
  /// ```swift
  /// try app.register(as: Plugin.self, injectable: .factory { Core() })
  /// let session = try app.makeScope("session") {
  ///   try $0.register(as: Plugin.self, injectable: .factory { Extra() })
  /// }
  /// try session.getAllInherited(Plugin.self)  // [Extra(), Core()]
  /// ```
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instances, from this injector outwards.
  /// - Throws: ``InjectorError/contextMissing(_:context:)``, or the error that prevented an instance from being made.
  public func getAllInherited<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> [Service] {
    do throws(InjectorError) {
      let (injector, key) = (redirected(fileID, line) ?? self, Key(type, tag))
      return try Layers.answering(Request(key, isOptional: true), by: injector) { () throws(InjectorError) in
        try injector.inheritedBoxes(for: key)
      }.map { $0.box.open() }
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  private func inheritedBoxes(for key: Key) throws(InjectorError) -> [(id: String, box: AnyBox)] {
    var boxes: [(id: String, box: AnyBox)] = []
    var isWrapped = false
    for level in levels {
      guard let found = try level.find(key, for: self) else { continue }
      defer { isWrapped = found.plain?.registration.isInheriting == true }
      if isWrapped { continue }
      boxes += try self.boxes(of: found, isShadowed: true)
    }
    return boxes
  }
}
