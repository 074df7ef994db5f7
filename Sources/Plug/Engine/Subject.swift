/// What a step of a resolution is about: the names that diagnostics print.
@usableFromInline
struct Subject: Sendable {
  let service: any Any.Type
  let tag: Injector.Tag?
  let candidate: String?
  let site: CodeLocation

  @usableFromInline
  init(_ service: any Any.Type, tag: Injector.Tag?, candidate: String? = nil, site: CodeLocation) {
    self.service = service
    self.tag = tag
    self.candidate = candidate
    self.site = site
  }

  var name: String { serviceName(typeName(service), tag: tag?.rawValue, candidate: candidate) }

  func named(candidate: String?) -> Subject {
    Subject(service, tag: tag, candidate: candidate, site: site)
  }
}

/// Something that can stand on the resolution stack of a thread.
@usableFromInline
class Step: @unchecked Sendable {
  // Soundness of the unchecked conformance: this class has only immutable Sendable state, and each subclass states its
  // own.
  let subject: Subject

  init(subject: Subject) {
    self.subject = subject
  }
}
