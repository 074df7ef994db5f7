extension InjectorError.Facts {
  /// What an error is about. Its texts are put together when they are read, because nobody reads most errors.
  enum Name: Sendable, Hashable {
    case service(ServiceName)
    case named(String, Form)

    var service: String {
      switch self {
      case .service(let name): nameParts(name.key.type, tag: name.key.tag?.rawValue).name
      case .named(let name, _): name
      }
    }

    var tag: String? {
      guard case .service(let name) = self else { return nil }
      return nameParts(name.key.type, tag: name.key.tag?.rawValue).tag
    }

    var candidate: String? {
      if case .service(let name) = self { name.candidate } else { nil }
    }

    /// The names of the steps that led to it, with its own at the end.
    func chain(after way: [ServiceName]) -> [String] {
      guard case .service(let name) = self else { return [] }
      let isLast = way.last.map { $0.key == name.key && $0.candidate == name.candidate && $0.act == name.act } ?? false
      let steps = isLast ? way : way + [name]
      let names = DistinctNames(steps.map(\.key))
      return steps.map { names.name(of: $0) }
    }
  }

  /// The injector that was asked.
  enum Path: Sendable, Hashable {
    /// One that lies in no other, with its name.
    case root(name: String?)
    /// A scope, or one that has gone, with the names on the way.
    case inner(names: [String])
    /// There was none.
    case none

    init(_ injector: Injector) {
      if injector.isHome {
        self = .root(name: Injector.Name.default.rawValue)
      } else if !injector.isScope {
        self = .root(name: injector.name?.rawValue)
      } else {
        self = .inner(names: injector.names)
      }
    }

    var text: String? {
      switch self {
      case .root(let name): name
      case .inner(let names): names.isEmpty ? nil : names.abbreviated.joined(separator: "/")
      case .none: nil
      }
    }

    /// The expression that finds the injector from anywhere: `Injector["services"]`; `nil` if it has no name.
    var expression: String? {
      guard case .root(let name?) = self else { return nil }
      return name == Injector.Name.default.rawValue ? "Injector.default" : "Injector[\(name.debugDescription)]"
    }
  }

  /// The expression that names the type: `(any Networking).self`.
  var typeExpression: String {
    guard case .service(let name) = name else { return service }
    var type = name.key.type
    if case .arguments(let service, _)? = (type as? any TypedKey.Type)?.form { type = service }
    return "\(codeName(type)).self"
  }

  /// What kind of thing it is.
  var form: Form {
    if let givenForm { return givenForm }
    switch name {
    case .named(_, let form): return form
    case .service(let name):
      let tag = name.key.tag?.rawValue
      guard let key = name.key.type as? any TypedKey.Type else {
        return name.key.type is any _FeatureAsService.Type ? .featureAsService : .service
      }
      return switch key.form {
      case .key: .key(key.expression(tag: tag))
      case .property: .property(key.expression(tag: tag))
      case .arguments(_, let arguments): .arguments(arguments)
      case .standalone: .standalone
      }
    }
  }
}

extension InjectorError.Facts {
  /// What a key stands for, as far as errors differ.
  @usableFromInline
  package enum KeyForm {
    case key
    /// The key of a value that is made from a default.
    case property
    case arguments(service: any Any.Type, [String])
    /// A value made without an injector.
    case standalone
  }
}

/// A type that is asked for by a subscript of its own rather than as a service. Errors say how.
public protocol _FeatureAsService {}
