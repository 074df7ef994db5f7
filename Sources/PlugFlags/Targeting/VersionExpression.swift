import Plug
import PlugKeys

/// `sem_ver`: whether a comparison of two versions holds. Null if one is not a version, or the operator is unknown.
final class VersionExpression: Expression {
  private let left: any Expression
  private let comparison: any Expression
  private let right: any Expression

  /// The comparison and the version on the right, if they are constants in the document.
  private let knownComparison: VersionComparison?
  private let knownRight: SemanticVersion?
  private let plainRight: PlainVersion?
  var name: String { "sem_ver" }

  init(_ left: any Expression, _ comparison: any Expression, _ right: any Expression) {
    (self.left, self.comparison, self.right) = (left, comparison, right)
    knownComparison = comparison.constant.flatMap(VersionComparison.init(_:))
    knownRight = right.constant.flatMap(SemanticVersion.init(_:))
    plainRight = right.constant.flatMap(PlainVersion.init)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let leftValue = try left.readValue(in: context, &state)
    // The known operand is evaluated only for the explanation.
    if state.recorder == nil, let knownComparison, let knownRight {
      if let plainRight, let left = PlainVersion(leftValue) {
        return .bool(left.compares(knownComparison, with: plainRight))
      }
      return SemanticVersion(leftValue).map { .bool($0.compares(knownComparison, with: knownRight)) } ?? .null
    }
    let comparison = VersionComparison(try comparison.value(in: context, &state))
    let rightValue = try right.read(in: context, &state)
    guard let comparison, let left = SemanticVersion(leftValue), let right = SemanticVersion(rightValue) else {
      return .null
    }
    return .bool(left.compares(comparison, with: right))
  }
}

/// A comparison operator of `sem_ver`.
struct VersionComparison {
  /// The orders for which the comparison holds: one bit each for less, equal and greater.
  private let orders: Int

  /// How many leading numbers have to be equal: none, the major version, or the major and the minor version.
  private let numbers: Int

  init?(_ value: FlagValue) {
    switch String.read(value) {
    case "=": (orders, numbers) = (0b010, 0)
    case "!=": (orders, numbers) = (0b101, 0)
    case "<": (orders, numbers) = (0b001, 0)
    case "<=": (orders, numbers) = (0b011, 0)
    case ">": (orders, numbers) = (0b100, 0)
    case ">=": (orders, numbers) = (0b110, 0)
    case "^": (orders, numbers) = (0b111, 1)
    case "~": (orders, numbers) = (0b111, 2)
    default: return nil
    }
  }

  /// Whether the comparison holds for two versions.
  ///
  /// - Parameters:
  ///   - order: -1, 0 or 1, as the first is less than, equal to or greater than the second.
  ///   - equal: How many numbers are equal, counted from the major version to the minor one.
  func holds(_ order: Int, equal: Int) -> Bool { orders >> (order + 1) & 1 == 1 && equal >= numbers }
}

extension SemanticVersion {
  func compares(_ comparison: VersionComparison, with other: Self) -> Bool {
    let equal = identifiers[0] != other.identifiers[0] ? 0 : identifiers[1] != other.identifiers[1] ? 1 : 2
    return comparison.holds(self == other ? 0 : self < other ? -1 : 1, equal: equal)
  }

  /// Parses the version in a string, or in a number as JavaScript writes it.
  init?(_ value: FlagValue) {
    switch value {
    case .string, .number: self.init(value.asText)
    default: return nil
    }
  }
}
