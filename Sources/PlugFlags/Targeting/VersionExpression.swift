/// `sem_ver`: whether two versions compare in a way. Null if one of them is no version, or there is no such way.
final class VersionExpression: Expression {
  private let left: any Expression
  private let comparison: any Expression
  private let right: any Expression

  /// The comparison and the version on the right, if the document contains them.
  private let knownComparison: VersionComparison?
  private let knownRight: VersionNumber?
  private let plainRight: PlainVersion?
  var name: String { "sem_ver" }

  init(_ left: any Expression, _ comparison: any Expression, _ right: any Expression) {
    (self.left, self.comparison, self.right) = (left, comparison, right)
    knownComparison = (comparison as? ConstantExpression).flatMap { VersionComparison($0.constant) }
    let constant = (right as? ConstantExpression)?.constant
    knownRight = constant.flatMap(VersionNumber.init)
    plainRight = constant.flatMap(PlainVersion.init)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let leftValue = try left.readValue(in: context, &state)
    // What is known is evaluated only to be shown.
    if state.recorder == nil, let knownComparison, let knownRight {
      if let plainRight, let left = PlainVersion(leftValue) { return .bool(knownComparison.holds(left, plainRight)) }
      return VersionNumber(leftValue).map { .bool(knownComparison.holds($0, knownRight)) } ?? .null
    }
    let comparison = VersionComparison(try comparison.value(in: context, &state))
    let rightValue = try right.readValue(in: context, &state)
    guard let comparison, let left = VersionNumber(leftValue), let right = VersionNumber(rightValue) else {
      return .null
    }
    return .bool(comparison.holds(left, right))
  }
}

/// How `sem_ver` compares.
enum VersionComparison: String, CaseIterable {
  case equal = "="
  case unequal = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case sameMajor = "^"
  case sameMinor = "~"

  init?(_ value: FlagValue) {
    guard case .string(let text) = value else { return nil }
    self.init(rawValue: text)
  }

  func holds(_ left: VersionNumber, _ right: VersionNumber) -> Bool {
    holds(left.order(to: right), sameMajor: left.major == right.major, sameMinor: left.minor == right.minor)
  }

  func holds(_ left: PlainVersion, _ right: PlainVersion) -> Bool {
    holds(left.order(to: right), sameMajor: left.major == right.major, sameMinor: left.minor == right.minor)
  }

  private func holds(_ order: Int, sameMajor: Bool, sameMinor: Bool) -> Bool {
    switch self {
    case .equal: order == 0
    case .unequal: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    case .sameMajor: sameMajor
    case .sameMinor: sameMajor && sameMinor
    }
  }
}

extension PlainVersion {
  /// - Returns: `nil` if the value is another version, or none.
  fileprivate init?(_ value: FlagValue) {
    guard case .string(let text) = value else { return nil }
    self.init(text)
  }
}
