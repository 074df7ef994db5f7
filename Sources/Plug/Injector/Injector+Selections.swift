extension Injector {
  /// The id of the candidate that is chosen for a service, and each other one from then on: whenever a property that a
  /// rule has read is set so that another candidate wins.
  ///
  /// ```swift
  /// for try await winner in services.selections(of: SearchProvider.self) { print(winner ?? "none") }
  /// ```
  ///
  /// The context is got from the injector each time; what its factory reads counts too. The winner is chosen on the
  /// thread that has set the property, before the setter returns. Every winner is kept until it is taken. `nil` means
  /// that none applies; a registration without a rule is called "default". The sequence ends when the injector is
  /// closed or released, and it throws what ``get(_:tag:fileID:line:)`` would, if a choice cannot be made. It is for
  /// one consumer.
  ///
  /// Other changes, of what is registered or of values that are no properties, are not seen by themselves.
  public func selections<Service: Sendable>(
    of type: Service.Type, tag: Tag? = nil
  ) -> AsyncThrowingStream<String?, any Error> {
    isolated().winners(of: type) { injector in try injector.entry(type, tag).winner(for: injector) }
  }

  /// The id of the candidate that is chosen for a service in a context, and each other one from then on, see
  /// ``selections(of:tag:)``.
  public func selections<Service: Sendable, Context: Sendable>(
    of type: Service.Type, tag: Tag? = nil, in context: Context
  ) -> AsyncThrowingStream<String?, any Error> {
    isolated().winners(of: type) { injector in
      let entry: Entry<Service> = try injector.entry(type, tag, givesContext: true)
      guard let selector = entry.selector else { return Fallback.id }
      return try selector.typed(Context.self, in: injector).winner(in: context, for: injector)
    }
  }
}
