/// What exposures say of all candidates that the rules alone have chosen, made when someone first wants to know.
@usableFromInline
final class ExposureTemplates: Sendable {
  private let list: [Exposure]

  init(_ list: [Exposure]) { self.list = list }

  /// The exposure of a candidate in a context.
  ///
  /// - Parameter reason: Why the candidate was chosen; `nil` if the rules alone have chosen it.
  @usableFromInline
  func exposure(
    of place: Int, for identifier: String?, by injector: Injector, reason: Exposure.Reason? = nil,
    failures: [Exposure.Failure] = []
  ) -> Exposure {
    let template = list[place]
    return Exposure(
      service: template.service, tag: template.tag, point: template.point, candidate: template.candidate,
      reason: reason ?? template.reason, identifier: identifier, injector: injector.path, failures: failures)
  }
}

extension Selector {
  /// Tells those who follow the choices what the rules alone have chosen.
  @inlinable
  func expose(_ place: Int, in context: Context, _ injector: Injector) {
    let templates = templates
    injector.expose(of: ObjectIdentifier(Service.self), in: context) {
      templates.exposure(of: place, for: $0, by: injector)
    }
  }

  /// Tells those who follow the choices what has been given.
  func expose(_ choice: OverseenChoice, in context: Context, _ injector: Injector) {
    lazy var reason = reason(of: choice)
    lazy var failures = choice.passedOver.failures.map(failure)
    injector.expose(of: ObjectIdentifier(Service.self), in: context) {
      templates.exposure(of: choice.place, for: $0, by: injector, reason: reason, failures: failures)
    }
  }

  @inlinable
  var templates: ExposureTemplates {
    unsafe exposures.pointer(to: ExposureTemplates.self)?.pointee ?? makeTemplates()
  }

  @usableFromInline
  func makeTemplates() -> ExposureTemplates {
    exposures.firstPublished(ExposureTemplates(candidates.indices.map(template)))
  }

  private func template(of place: Int) -> Exposure {
    let candidate = candidates[place]
    return Exposure(
      service: name, tag: declaration.tag?.rawValue, point: candidate.cell === fallback ? name : candidate.point,
      candidate: candidate.id, reason: reason(of: OverseenChoice(place: place, switched: Switched())),
      identifier: nil, injector: nil)
  }

  private func failure(of candidate: (place: Int, error: InjectorError?)) -> Exposure.Failure {
    Exposure.Failure(candidate: candidates[candidate.place].id, error: candidate.error.map { ErrorText($0).headline })
  }

  private func reason(of choice: OverseenChoice) -> Exposure.Reason {
    let (place, candidate) = (choice.place, candidates[choice.place])
    if choice.switched.forced == place { return .forced }
    // Whether that one might have been chosen.
    func isRival(_ other: Int) -> Bool {
      other < place
        || candidate.draw != nil && candidates[other].draw != nil
          && candidates[other].priority == candidate.priority
    }
    if choice.passedOver.failures.contains(where: { isRival($0.place) || $0.place == choice.switched.forced }) {
      return .othersFailed
    }
    if choice.switched.disabled.contains(where: isRival) { return .othersDisabled }
    if candidate.cell === fallback { return .fallback }
    return candidate.draw == nil ? .rule : .weight
  }
}

extension Injector {
  /// Tells those who follow the choices, of this injector and of those around it, what has been given.
  ///
  /// - Parameter exposure: Makes the exposure for what identifies the context.
  @usableFromInline
  func expose<Context: Sendable>(
    of service: ObjectIdentifier, in context: Context, _ exposure: (_ identifier: String?) -> Exposure
  ) {
    unsafe ThreadLocalContext.context._withUnsafeGuaranteedRef { thread in
      if thread.isReporting { return }
      tell(exposure, of: service, in: context, thread)
      // Not in one loop: that would count references to this injector, which is slow where there are weak ones.
      var next = parent
      while let level = next {
        level.tell(exposure, of: service, in: context, thread)
        next = level.parent
      }
    }
  }

  private func tell<Context: Sendable>(
    _ exposure: (_ identifier: String?) -> Exposure, of service: ObjectIdentifier, in context: Context,
    _ thread: ThreadContext
  ) {
    listeners.read { listeners in
      for follower in listeners.followers where follower.follows(service) {
        thread.isReporting = true
        follower.report(in: context, exposure)
        thread.isReporting = false
      }
    }
  }
}
