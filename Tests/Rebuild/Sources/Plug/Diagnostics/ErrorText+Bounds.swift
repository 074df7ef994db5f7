/// What is said of work that would never end, or go too far.
extension InjectorError.Facts {
  var adviceForCircle: [String] {
    if isProperty { return ["Give it a default value that does not read it."] }
    if isClosing {
      return [
        "Get what onClose needs before you close the injector, and keep it.",
        "Or close the injector with closeNow(), which does not wait.",
      ]
    }
    return [
      "Let one that is not a factory get the other in a configure closure, which runs once both exist.",
      "Or move what both need into a third service.",
    ]
  }

  var adviceForCurrent: [String] {
    [
      "Run it in one: scope.run { … }, or withScope { … }.",
      "Child tasks and Task { } inherit the current injector. Task.detached, a thread and a callback do not.",
    ]
  }

  func headlineForClosed(_ service: String) -> String {
    if isOfPreview { return "\(service) cannot be resolved: the preview is over for which the property was made." }
    let reason = closedAround.map { "the injector around it, \($0), is closed" } ?? "the injector is closed"
    if isAboutInjector { return "Nothing can be done any more: \(reason)." }
    return "\(service) cannot be resolved or registered: \(reason)."
  }

  var adviceForClosed: [String] {
    if isOfPreview {
      return [
        "Return from Injector.preview what no injector keeps: register it there as a factory, or make it by hand.",
        "Or keep what it has returned for as long as anything of it is used.",
      ]
    }
    return [
      "Get what you need before you close the injector, and keep nothing that asks it later.",
      "Or open another scope: makeScope(\"…\").",
    ]
  }

  var adviceForIsolation: [String] {
    [
      "Override it in the test: try injector.\(request("override", label: "as", extra: "injectable: .singleton(…)")).",
      "Or let each test make one: .lazySingleton { … }.configure { … }, not .singleton(…).configure { … }.",
    ]
  }

  func headline(of service: String, atDepth depth: Int) -> String {
    switch bound {
    case nil: "The chain to \(service) is too deep: \(depth) dependencies would overflow the stack."
    case .rounds: "The chain to \(service) is too deep: after \(depth) dependencies it seems to have no end."
    case .scopes:
      "\(service) cannot be resolved or registered: its scope is nested too deeply, inside \(depth) injectors."
    }
  }

  var adviceForDepth: [String] {
    switch bound {
    case nil:
      [
        "Get a singleton in the middle of the chain first, so that the rest of the chain starts there.",
        "Or run the first get on a thread with a larger stack.",
      ]
    case .rounds:
      [
        "Look for a service that opens a scope and needs itself there. Let it use the scope it is in.",
        "Or get a singleton in the middle of the chain first, so that the rest of the chain starts there.",
      ]
    case .scopes:
      [
        "Look for a service that opens a scope and needs itself there. Let it use the scope it is in.",
        "Or open the scopes side by side, from the injector where the work starts, and close each one.",
      ]
    }
  }
}
