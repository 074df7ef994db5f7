import Plug
import PlugKeys

/// `sem_ver`: whether two versions compare in a way. Null if one of them is no version, or there is no such way.
final class VersionExpression: Expression {
  private let left: any Expression
  private let comparison: any Expression
  private let right: any Expression

  /// The comparison and the version on the right, if the document contains them.
  private let knownComparison: VersionComparison?
  private let knownRight: SemanticVersion?
  private let plainRight: PlainVersion?
  var name: String { "sem_ver" }

  init(_ left: any Expression, _ comparison: any Expression, _ right: any Expression) {
    (self.left, self.comparison, self.right) = (left, comparison, right)
    knownComparison = (comparison as? ConstantExpression).flatMap { VersionComparison($0.constant) }
    let constant = (right as? ConstantExpression)?.constant
    knownRight = constant.flatMap(SemanticVersion.init(_:))
    plainRight = constant.flatMap(PlainVersion.init)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let leftValue = try left.readValue(in: context, &state)
    // The known operand is evaluated only for the explanation.
    if state.recorder == nil, let knownComparison, let knownRight {
      if let plainRight, let left = PlainVersion(leftValue) { return .bool(knownComparison.holds(left, plainRight)) }
      return SemanticVersion(leftValue).map { .bool(knownComparison.holds($0, knownRight)) } ?? .null
    }
    let comparison = VersionComparison(try comparison.value(in: context, &state))
    let rightValue = try right.readValue(in: context, &state)
    guard let comparison, let left = SemanticVersion(leftValue), let right = SemanticVersion(rightValue) else {
      return .null
    }
    return .bool(comparison.holds(left, right))
  }
}

/// What `sem_ver` compares.
protocol ComparedVersion: Comparable {
  associatedtype Number: Equatable
  var major: Number { get }
  var minor: Number { get }

  /// - Returns: `nil` if the value is another version, or none.
  init?(_ value: FlagValue)
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

  @inline(__always)
  func holds<Version: ComparedVersion>(_ left: Version, _ right: Version) -> Bool {
    switch self {
    case .equal: left == right
    case .unequal: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .sameMajor: left.major == right.major
    case .sameMinor: left.major == right.major && left.minor == right.minor
    }
  }
}

extension SemanticVersion: ComparedVersion {
  var major: Substring { identifiers[0] }
  var minor: Substring { identifiers[1] }

  /// The version that a string has, or a number as JavaScript writes it, with a `v` or `V` in front or not, and without
  /// minor and patch, or patch, where nothing follows.
  init?(_ value: FlagValue) {
    switch value {
    case .string, .number: break
    default: return nil
    }
    var text = value.asText
    if text.hasPrefix("v") || text.hasPrefix("V") { text.removeFirst() }
    if !text.utf8.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }) {
      text += String(repeating: ".0", count: max(0, 2 - text.utf8.count { $0 == UInt8(ascii: ".") }))
    }
    self.init(text)
  }
}
