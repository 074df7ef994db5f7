public import Plug

extension Injector {
  /// The id of the candidate selected for a service, and of each later winner.
  ///
  /// The sequence yields when another candidate wins because a ``Property`` that a rule has read was set:
  ///
  /// ```swift
  /// for try await winner in services.selections(of: Search.self) {
  ///   print(winner ?? "none")
  /// }
  /// ```
  ///
  /// The context is resolved from the injector each time, and properties that its factory reads count, too. The winner
  /// is selected on the thread that sets the property, before the setter returns. The sequence buffers all winners
  /// until they are consumed. `nil` means that no candidate applies. A registration without a rule has the id
  /// `"default"`.
  ///
  /// The sequence finishes when the injector is closed or released. If a selection fails, it throws the error that
  /// `get` would throw. It supports one consumer: call this method again for another one.
  ///
  /// - Note: Only changes of properties are observed. A change of a registration, or of a value that is not a property,
  ///   does not cause a new selection.
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  /// - Returns: A sequence that begins with the current selection.
  public func selections<Service: Sendable>(
    of type: Service.Type, tag: Tag? = nil
  ) -> AsyncThrowingStream<String?, any Error> {
    winners(of: type) { injector in try injector.winner(of: Key(type, tag), in: nil) }
  }

  /// The id of the candidate selected for a service in a context, and of each later winner.
  ///
  /// Use it if the rules look at a value of your own and at properties of the injector. See ``selections(of:tag:)``.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  ///   - context: The value that the candidates' rules look at. It does not change during the sequence.
  /// - Returns: A sequence that begins with the current selection.
  public func selections<Service: Sendable, Context: Sendable>(
    of type: Service.Type, tag: Tag? = nil, in context: Context
  ) -> AsyncThrowingStream<String?, any Error> {
    winners(of: type) { injector in
      try ContextReference.with(context) { try injector.winner(of: Key(type, tag), in: $0) }
    }
  }
}
