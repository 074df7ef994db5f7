import Foundation
import Plug

/// The state of one evaluation of a targeting.
struct EvaluationState {
  /// The number of steps that an evaluation may take. A step is an expression that is evaluated for an element of a
  /// list, an element that is read or made, or 16 bytes of a string that is read or made.
  static let stepLimit = 1_000_000

  /// The data that `var` reads.
  enum Scope {
    case context
    case element(FlagValue)
    case reduction(current: FlagValue, accumulator: FlagValue)
  }

  let flagKey: String

  /// The hash of the flag key. The hash of a bucketing value begins with it.
  let flagHash: MurmurHash3

  /// How `fractional` hashes.
  let version: FractionalVersion

  let recorder: TraceRecorder?
  var scope = Scope.context { didSet { isPlain = recorder == nil && !isInLoop } }

  /// Whether expressions are neither recorded nor charged.
  private(set) var isPlain: Bool
  private let time: Date?
  private(set) var steps = 0

  init(
    flagKey: String, flagHash: MurmurHash3, version: FractionalVersion, time: Date?, recorder: TraceRecorder?
  ) {
    (self.flagKey, self.flagHash, self.version) = (flagKey, flagHash, version)
    (self.time, self.recorder, isPlain) = (time, recorder, recorder == nil)
  }

  /// `$flagd.timestamp`: the time in whole seconds since 1970.
  var timestamp: FlagValue { .number((time ?? Date()).timeIntervalSince1970.rounded(.down)) }

  /// Changes the data that `var` reads, out of line.
  @inline(never)
  mutating func enter(_ scope: consuming Scope) { self.scope = scope }

  /// Whether an expression is evaluated for an element of a list.
  var isInLoop: Bool { if case .context = scope { false } else { true } }

  mutating func charge(_ count: Int) throws(EvaluationFailure) {
    let (sum, overflows) = steps.addingReportingOverflow(count)
    if overflows || sum > Self.stepLimit { throw .tooManySteps }
    steps = sum
  }

  /// Charges the steps to read a whole value: to compare it, or to convert it.
  @inline(__always)
  mutating func charge(_ value: FlagValue) throws(EvaluationFailure) {
    switch value {
    case .null, .bool, .number: return
    case .string(let text): if text.utf8.count >= 16 { try charge(text.utf8.count / 16) }
    case .array, .object: try chargeParts(of: value)
    }
  }

  @inline(never)
  private mutating func chargeParts(of value: FlagValue) throws(EvaluationFailure) {
    try charge(value.parts.count)
    for part in value.parts { try charge(part) }
  }

  /// Throws if a value is nested too deeply. A reduction could otherwise add a level for each element of a list.
  mutating func checkDepth(of value: FlagValue, limit: Int) throws(EvaluationFailure) {
    switch value {
    case .null, .bool, .number, .string: return
    case .array, .object:
      guard limit > 0 else { throw .tooDeep }
      try charge(value.parts.count)
      for part in value.parts { try checkDepth(of: part, limit: limit - 1) }
    }
  }
}

extension FlagValue {
  /// The elements of an array, or the values of an object.
  fileprivate var parts: [FlagValue] {
    switch self {
    case .array(let elements): elements
    case .object(let members): Array(members.values)
    default: []
    }
  }
}
