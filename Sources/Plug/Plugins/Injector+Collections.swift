extension Injector {
  /// Gets every implementation of a service that applies, by the ids of the candidates.
  ///
  /// ```swift
  /// let searches = try services.getAllByID((any SearchProvider).self)
  /// let semantic = searches["semantic"]
  /// ```
  ///
  /// The candidates' context is resolved from the injector. A registration without a rule has the id `"default"`.
  ///
  /// A parameter of a `wiring:` initializer, or an ``Injected`` property, of type `[String: any Service]` gets the same
  /// dictionary. A parameter or property of type `[any Service]` gets the array that ``getAll(_:tag:fileID:line:)``
  /// returns. A registration of the collection type itself takes precedence. A collection of a concrete type, such as
  /// `[String]`, is an error unless its elements are registered.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instances by id; an empty dictionary if the service is not registered or no candidate applies.
  /// - Throws: ``InjectorError/contextMissing(_:context:)``, or the error that prevented an instance from being made.
  public func getAllByID<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> [String: Service] {
    do throws(InjectorError) {
      let boxes = try (redirected(fileID, line) ?? self).boxes(for: Key(type, tag)) ?? []
      return boxes.reduce(into: [:]) { $0[$1.id] = $1.box.open(as: type) }
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  /// Gets every implementation of a service that applies in a context, by the ids of the candidates.
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - context: The value that the candidates' rules look at.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instances by id; an empty dictionary if the service is not registered or no candidate applies.
  /// - Throws: ``InjectorError/contextMismatch(_:expected:found:)``, or the error that prevented an instance from being
  ///   made.
  public func getAllByID<Service: Sendable, Context: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, in context: Context, fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(InjectorError) -> [String: Service] {
    do throws(InjectorError) {
      let boxes = try boxes(for: Key(type, tag), in: ContextReference(holding: context), fileID, line) ?? []
      return boxes.reduce(into: [:]) { $0[$1.id] = $1.box.open(as: type) }
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

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
    for level in levels {
      let (found, isClosed) = level.state.withLock { ($0.cell(of: key), $0.phase == .closed) }
      if isClosed { throw closed(key, by: level) }
      guard let found else { continue }
      if let cell = Layers.areHooked(self) ? try hooked(found, key) : found {
        boxes += try self.boxes(of: cell, isShadowed: true)
      }
    }
    return boxes
  }

  /// Gets every implementation of a service that applies in several environments.
  ///
  /// ```swift
  /// let plugins = try Injector.getAll(
  ///   (any Plugin).self, across: [.app, .extensions])
  /// ```
  ///
  /// - Parameters:
  ///   - type: The service. It can be omitted where it is inferred from the result.
  ///   - tag: The tag the service is registered with.
  ///   - names: The names of the environments.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instances, in the order of the names.
  /// - Throws: The errors of ``getAll(_:tag:fileID:line:)`` in one of the environments.
  public static func getAll<Service: Sendable>(
    _ type: Service.Type = Service.self, tag: Tag? = nil, across names: [Name], fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(InjectorError) -> [Service] {
    var services: [Service] = []
    for name in names { services += try Injector[name].getAll(type, tag: tag, fileID: fileID, line: line) }
    return services
  }
}
