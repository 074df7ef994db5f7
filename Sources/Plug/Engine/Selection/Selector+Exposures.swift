/// What exposures of one candidate say; an object, so that it is not copied for those who do not want to know.
@usableFromInline
final class ExposureTemplate: Sendable {
  private let exposure: Exposure

  init(_ exposure: Exposure) { self.exposure = exposure }

  /// The exposure in a context.
  func completed(for identifier: String?, by injector: Injector) -> Exposure {
    Exposure(
      service: exposure.service, tag: exposure.tag, point: exposure.point, candidate: exposure.candidate,
      reason: exposure.reason, identifier: identifier, injector: injector.path, failures: exposure.failures)
  }
}

/// What exposures say of all candidates that the rules alone have chosen, made when someone first wants to know.
@usableFromInline
final class ExposureTemplates: Sendable {
  @usableFromInline let list: [ExposureTemplate]

  init(_ list: [ExposureTemplate]) { self.list = list }
}

extension Selector {
  /// Tells those who follow the choices what the rules alone have chosen.
  @inlinable
  func expose(_ place: Int, in context: Context, _ injector: Injector) {
    let templates = unsafe exposures.pointer(to: ExposureTemplates.self)?.pointee ?? makeTemplates()
    let template = templates.list[place]
    injector.expose(of: ObjectIdentifier(Service.self), in: context) { template }
  }

  @usableFromInline
  func makeTemplates() -> ExposureTemplates {
    exposures.firstPublished(
      ExposureTemplates(
        candidates.indices.map { template(of: OverseenChoice(place: $0, switched: Switched())) }))
  }

  /// Tells those who follow the choices what has been given.
  func expose(_ choice: OverseenChoice, in context: Context, _ injector: Injector) {
    var known: ExposureTemplate?
    injector.expose(of: ObjectIdentifier(Service.self), in: context) {
      let template = known ?? template(of: choice)
      known = template
      return template
    }
  }

  private func template(of choice: OverseenChoice) -> ExposureTemplate {
    let candidate = candidates[choice.place]
    return ExposureTemplate(
      Exposure(
        service: name, tag: declaration.tag?.rawValue, point: candidate.cell === fallback ? name : candidate.point,
        candidate: candidate.id, reason: reason(of: choice), identifier: nil, injector: nil,
        failures: choice.passedOver.failures.map(failure)))
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
  @usableFromInline
  func expose<Context: Sendable>(
    of service: ObjectIdentifier, in context: Context, _ template: () -> ExposureTemplate
  ) {
    let thread = ThreadContext.current
    if thread.isReporting { return }
    tell(template, of: service, in: context, askedOf: self, thread)
    // Not in one loop: that would count references to this injector, which is slow where there are weak ones.
    var next = parent
    while let level = next {
      level.tell(template, of: service, in: context, askedOf: self, thread)
      next = level.parent
    }
  }

  private func tell<Context: Sendable>(
    _ template: () -> ExposureTemplate, of service: ObjectIdentifier, in context: Context, askedOf injector: Injector,
    _ thread: ThreadContext
  ) {
    for follower in listeners.value?.followers ?? [] where follower.follows(service) {
      thread.isReporting = true
      follower.report(in: context) { identifier in template().completed(for: identifier, by: injector) }
      thread.isReporting = false
    }
  }
}
