/// What a step of a resolution is about: the names that diagnostics print.
///
/// It is kept small, because every registration has one.
@usableFromInline
struct Declaration: Sendable {
  let key: ServiceKey
  private let candidateName: CandidateName?
  private let fileID: String
  private let line: Int32

  /// The module that has registered it.
  let module: ModuleNumber

  private final class CandidateName: Sendable {
    let id: String

    init(_ id: String) {
      self.id = id
    }
  }

  @usableFromInline
  init(_ service: any Any.Type, tag: Injector.Tag?, candidate: String? = nil, location: CodeLocation) {
    let module = location.module.flatMap(ModuleNumber.init(named:)) ?? .current
    self.init(service, tag: tag, candidate: candidate, location: location, of: module)
  }

  private init(
    _ service: any Any.Type, tag: Injector.Tag?, candidate: String?, location: CodeLocation, of module: ModuleNumber
  ) {
    key = ServiceKey(service, tag)
    candidateName = candidate.map(CandidateName.init)
    fileID = location.fileID
    line = Int32(clamping: location.line)
    self.module = module
  }

  var service: any Any.Type { key.service }
  var type: ObjectIdentifier { key.type }
  var tag: Injector.Tag? { key.tag }
  var candidate: String? { candidateName?.id }
  var location: CodeLocation { CodeLocation(fileID: fileID, line: Int(line), module: module.name) }
  var serviceName: ServiceName { ServiceName(key: key, candidate: candidate) }
  var name: String { serviceName.text }

  func isFor(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> Bool { self.type == type && self.tag == tag }

  func named(candidate: String?) -> Declaration {
    Declaration(service, tag: tag, candidate: candidate, location: location, of: module)
  }
}

/// Something that can stand on the resolution stack of a thread.
@usableFromInline
class ResolutionStep: @unchecked Sendable {
  // Soundness of the unchecked conformance: this class has only immutable Sendable state, and each subclass states its
  // own. Soundness of the cast: `init(like:)` alone sets what this is like; it is stored as a more general type because
  // the compiler counts references for chains of objects of one type, which this never is.
  private let ownDeclaration: Declaration?
  private let template: (any AnyObject & Sendable)?

  init(declaration: consuming Declaration) {
    ownDeclaration = declaration
    template = nil
  }

  /// A step for the same registration as another.
  init(like original: ResolutionStep) {
    ownDeclaration = nil
    template = original
  }

  /// The step that this is like, if it has no declaration of its own.
  final var original: ResolutionStep? { template.map { unsafe unsafeDowncast($0, to: ResolutionStep.self) } }

  final var declaration: Declaration { unsafe ownDeclaration ?? original.unsafelyUnwrapped.declaration }

  // What is asked for often, without a copy of the whole declaration.
  final var type: ObjectIdentifier { ownDeclaration?.type ?? declaration.type }
  final var tag: Injector.Tag? { ownDeclaration == nil ? declaration.tag : ownDeclaration?.tag }

  final func isFor(_ type: ObjectIdentifier, _ tag: Injector.Tag?) -> Bool {
    ownDeclaration?.isFor(type, tag) ?? declaration.isFor(type, tag)
  }

  /// Whether another candidate may take the place of what the step makes, if that fails.
  var toleratesFailure: Bool { false }

  /// How long what the step makes lives; `nil` if it makes nothing itself.
  var lifetime: Lifetime? { nil }
}
