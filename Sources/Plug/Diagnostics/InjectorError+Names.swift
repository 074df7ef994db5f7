extension InjectorError.Facts {
  /// The injector that was asked.
  enum Path: Sendable {
    /// One that lies in no other, with its name.
    case root(name: String?)
    /// A scope, or one that has gone, with the names on the way.
    case inner(names: [String])
    /// There was none.
    case none

    init(_ injector: Injector) {
      if injector.isScope {
        self = .inner(names: injector.names)
      } else {
        self = .root(name: injector.isHome ? Injector.Name.default.rawValue : injector.name?.rawValue)
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

  /// What kind of thing an error is about.
  enum Kind: Sendable {
    /// A service that is got by its type.
    case service
    /// A feature that was requested as a service.
    case featureAsService
    /// A key.
    case key
    /// The key of a property, which is made from its default value.
    case property
    /// A service made from arguments.
    case arguments
    /// A value made without an injector.
    case standalone
    /// A candidate of a point, whatever its service.
    case candidate
    /// A module that registers services.
    case module
  }

  /// The kind, and how it is asked for.
  struct Form: Sendable {
    let kind: Kind
    /// The expression that asks for a key: `injector[Clock.self]`; `nil` if a type does.
    var expression: String?
    /// The types of the arguments.
    var arguments: [String] = []

    static func key(_ expression: String) -> Self { Self(kind: .key, expression: expression) }
    static func arguments(_ types: [String]) -> Self { Self(kind: .arguments, arguments: types) }
  }

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

  var form: Form {
    if let form = values.form { return form }
    guard case .service(let name) = name else {
      guard case .named(_, let kind) = name else { return Form(kind: .service) }
      return Form(kind: kind)
    }
    guard let key = name.key.type as? any TypedKey.Type else {
      return Form(kind: name.key.type is any _FeatureAsService.Type ? .featureAsService : .service)
    }
    switch key.form {
    case .key: return .key(key.expression(tag: name.key.tag?.rawValue))
    case .property: return Form(kind: .property, expression: key.expression(tag: name.key.tag?.rawValue))
    case .arguments(_, let arguments): return .arguments(arguments)
    case .standalone: return Form(kind: .standalone, expression: "lazy.get()")
    }
  }

  /// The expression that names the type: `(any Networking).self`.
  var typeExpression: String {
    guard case .service(let name) = name else { return service }
    var type = name.key.type
    if case .arguments(let service, _)? = (type as? any TypedKey.Type)?.form { type = service }
    return codeName(type) + ".self"
  }

  /// Where the injector is found, before what it is asked: `Injector["services"].`.
  var receiver: String { path.expression.map { "\($0)." } ?? "" }

  /// The whole expression, from where the injector is found; without the injector, if it has no name to be found by.
  ///
  /// - Parameter scope: Opens a scope of it first.
  func call(_ function: String, in scope: String? = nil) -> String {
    var call = "." + request(function)
    if let expression = form.expression {
      guard expression.hasPrefix("injector") else { return expression }
      call = String(expression.dropFirst("injector".count))
      if call.hasSuffix("()") { call = call.dropLast(2) + ".\(function)()" }
    }
    let receiver = [path.expression, scope].compactMap(\.self).joined(separator: ".")
    return receiver.isEmpty ? String(call.drop { $0 == "." }) : receiver + call
  }

  /// The expression that a user types: `get((any Networking).self, tag: "replica")`.
  ///
  /// - Parameter extra: More arguments.
  func request(_ function: String, _ extra: String? = nil) -> String {
    let form = form
    if let expression = form.expression {
      return function == "decorate" ? "\(expression.prefix { $0 != "(" }).decorate()" : expression
    }
    let label =
      switch function {
      case "register", "override": "as: "
      case "unregister": "type: "
      default: ""
      }
    var arguments = [label + typeExpression]
    if form.kind == .arguments {
      let types = form.arguments.map { $0.hasPrefix("any ") ? "(\($0)).self" : "\($0).self" }
      arguments.append(label.isEmpty ? "with: …" : "taking: " + types.joined(separator: ", "))
    } else {
      if let tag { arguments.append("tag: \"\(tag)\"") }
      if function == "unregister", let candidate { arguments.append("candidate: \"\(candidate)\"") }
      if let extra { arguments.append(extra) }
    }
    let call = "\(function)(" + arguments.joined(separator: ", ") + ")"
    return form.kind == .arguments && label == "as: " ? call + " { … }" : call
  }
}

/// A type that is asked for by a subscript of its own rather than as a service. Errors say how.
public protocol _FeatureAsService {}

extension [String] {
  /// The list as a call has it; `no arguments` if it is empty.
  var parenthesized: String { isEmpty ? "no arguments" : "(\(joined(separator: ", ")))" }

  /// The chain with its middle left out, if it is too long to read.
  var abbreviated: [String] {
    count <= 24 ? self : prefix(12) + ["… \(count - 20) more …"] + suffix(8)
  }
}
