/// What is said of work that would never end, or go too far.
extension InjectorError.Facts {
  var adviceForCircle: [String] {
    if isProperty { return ["Let its default value be one that does not ask for it."] }
    if isClosing {
      return [
        "Get what onClose needs before the injector is closed, and keep it.",
        "Or close the injector where nothing waits for it: with closeNow().",
      ]
    }
    return [
      "Let one of them, which is no factory, get the other in a configure closure, which runs when both exist.",
      "Or move what both need into a service of its own.",
    ]
  }

  var adviceForIsolation: [String] {
    [
      "Override it in the test: try injector.\(request("override", label: "as", extra: "injectable: .singleton(…)")).",
      "Or let each make its own: .lazySingleton { … }.configure { … } in place of .singleton(…).configure { … }.",
    ]
  }

  func headline(of service: String, atDepth depth: Int) -> String {
    switch bound {
    case nil: "\(service) lies too deep: a chain of \(depth) dependencies leads to it, and would overflow the stack."
    case .rounds: "\(service) lies too deep: a chain of \(depth) dependencies leads to it, and seems to have no end."
    case .scopes:
      "\(service) cannot be got or registered: its injector is a scope inside of \(depth) others, which are too many."
    }
  }

  var adviceForDepth: [String] {
    switch bound {
    case nil:
      [
        "Get a service in the middle of the chain first, if it is a singleton: the rest then begins from there.",
        "Or run the first get on a thread with a larger stack.",
      ]
    case .rounds:
      [
        "Look for what needs itself in a scope that it opens: let it use the scope that it is in.",
        "Or get a service in the middle of the chain first, if it is a singleton: the rest then begins from there.",
      ]
    case .scopes:
      [
        "Look for what needs itself in a scope that it opens: let it use the scope that it is in.",
        "Or open scopes beside each other, in the injector where the work begins, and close each.",
      ]
    }
  }
}
