/// Renders every `InjectorError` in one form: a headline, the facts in lines, and what to do.
struct ErrorText: CustomStringConvertible {
  private let facts: InjectorError.Facts
  private let kind: InjectorError.Facts.Kind
  private let service: String
  private(set) var description: String

  init(_ error: InjectorError) {
    facts = error.facts
    kind = facts.form.kind
    service = serviceName(facts.service, tag: facts.tag, candidate: facts.candidate)
    description = ""
    if case .invalid(_, let report) = error {
      description = report.description
    } else {
      add(Message(error, kind))
    }
  }

  private mutating func add(_ message: Message) {
    description = filled(message.headline, message.values)
    addSubject()
    add(message.facts)
    if let details = message.details { description += "\n" + details.indented(by: 2) }
    description += "\nTo fix this:"
    for action in message.advice { description += "\n  - " + filled(action, message.values) }
  }

  private func filled(_ template: String, _ values: [String]) -> String {
    var text = ""
    for (place, part) in template.textsAndNames.enumerated() {
      text += place % 2 == 0 ? part : replacement(of: part, values)
    }
    return text
  }

  /// What the error is about, and in which injector.
  private mutating func addSubject() {
    let label = kind == .candidate ? "candidate" : kind == .module ? "module" : "service"
    add(label, kind == .candidate ? facts.service : facts[.isAboutInjector] ? nil : service)
    add("point", kind == .candidate ? facts.point ?? "" : facts.point)
    let isOfNone = if case .none = facts.path { true } else { false }
    let injector = facts.injector ?? (isOfNone && kind != .candidate ? "(none)" : "(unnamed)")
    if kind == .candidate || facts.point == nil && kind != .standalone { add("injector", injector) }
  }

  private mutating func add(_ shown: Message.Facts) {
    if shown.contains(.chain), !facts[.isAboutInjector] {
      add("chain", facts.chain.abbreviated.joined(separator: " → "))
    }
    if shown.contains(.asked) { add("asked at", facts.requestedAt?.description) }
    let location = facts.values.registeredAt?.description
    if shown.contains(.registered) { add("registered at", location) }
    if shown.contains(.declared) { add("declared at", location) }
    guard shown.contains(.history) else { return }
    if let previous = facts.previousRegistration {
      let end = previous.ownerWasReleased ? "unregistered when its owner was released" : "has been unregistered"
      add("history", "was registered at \(previous.registeredAt) and \(end)")
    }
    if let nearest = facts.nearest { add("nearest", "\(nearest.name), registered at \(nearest.registeredAt)") }
  }

  private mutating func add(_ label: String, _ value: String?) {
    guard let value else { return }
    description += "\n  " + label + ": " + String(repeating: " ", count: 14 - label.count) + value
  }

  /// What a name in angle brackets stands for. One that is none of these is a function, with more of its arguments.
  private func replacement(of name: String, _ values: [String]) -> String {
    switch name {
    case "0": return values[0]
    case "1": return values[1]
    case "service": return service
    case "module", "candidate": return facts.service
    case "type": return facts.typeExpression
    case "point": return facts.point ?? ""
    case "receiver": return facts.receiver
    case "injector": return facts.path.expression ?? "self"
    case "nearest": return facts.nearest?.name ?? ""
    case "refused" where facts.point != nil:
      return "The candidate \"\(facts.candidate ?? "")\" of the point \"\(facts.point ?? "")\""
    case "refused": return facts.request("register")
    case "whole get": return facts.call("get")
    case "whole load": return facts.call("load")
    case "get in a scope": return facts.call("get", in: "makeScope(\"\(facts.values.place ?? "…")\")")
    default: break
    }
    let words = name.split(separator: " ", maxSplits: 1).map(String.init)
    let (function, rest) = (words[0], words.count > 1 ? words[1] : nil)
    if function == "try", let rest { return "try " + facts.receiver + replacement(of: rest, values) }
    return facts.request(function, rest)
  }
}
