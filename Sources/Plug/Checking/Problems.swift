/// What is found, in any order.
final class Problems {
  private let graph: ServiceGraph
  private var found: [ValidationReport.Problem] = []
  private var warned: [Bool] = []

  init(_ graph: ServiceGraph) { self.graph = graph }

  func add(_ kind: ValidationReport.Problem.Kind, _ registration: Registration, _ details: [String]) {
    add(kind, graph.name(of: registration), details, registration.location)
  }

  func add(
    _ kind: ValidationReport.Problem.Kind, _ subject: String, _ details: [String], _ location: CodeLocation,
    isWarning: Bool = false
  ) {
    warned.append(isWarning)
    found.append(ValidationReport.Problem(kind: kind, subject: subject, details: details, registeredAt: location))
  }

  /// In the order of their kinds, then of their names.
  var sorted: (problems: [ValidationReport.Problem], warnings: [ValidationReport.Problem]) {
    let kinds: [ValidationReport.Problem.Kind] = [
      .nameTaken, .missing, .circular, .circularRules, .circularOrder, .unknownCandidate, .captive, .noCandidate,
      .ambiguousPoint, .unreachable, .unknownPoint, .unknownOrder, .contextMissing, .undeclared, .opaque,
    ]
    let names = found.map { problem in
      let kind = kinds.firstIndex(of: problem.kind) ?? 0
      return "\(kind + 10)\(problem.subject)\0\(problem.details.last ?? "")"
    }
    var (problems, warnings): ([ValidationReport.Problem], [ValidationReport.Problem]) = ([], [])
    for index in alphabeticalOrder(of: names) {
      switch found[index].kind {
      case .ambiguousPoint, .unreachable, .unknownPoint, .unknownOrder: warnings.append(found[index])
      case _ where warned[index]: warnings.append(found[index])
      case .contextMissing where found[index].details.count == 1: warnings.append(found[index])
      default: problems.append(found[index])
      }
    }
    return (problems, warnings)
  }
}

extension [String] {
  /// Each of the texts once, in alphabetical order.
  @inline(never)
  var distinct: [String] {
    var texts: [String] = []
    for text in sorted() where text != texts.last { texts.append(text) }
    return texts
  }
}
