import Plug

/// Collects the evaluated expressions. It belongs to one evaluation.
@usableFromInline
final class TraceRecorder {
  /// An expression that has begun.
  private struct Frame {
    var operands: [FlagTrace] = []
    var remark: String?
    /// Whether the expression reads a private attribute itself.
    var isPrivate = false
    /// The results of the operands that are hidden.
    var hidden: [FlagValue] = []
  }

  private var open = [Frame()]
  private let privateNames: Set<String>

  init(hiding privateNames: Set<String> = []) { self.privateNames = privateNames }

  /// Begins an expression. The expressions that are recorded until it ends are its operands.
  func begin() {
    open.append(Frame())
  }

  func end(_ operation: String, isLiteral: Bool, _ result: FlagValue) {
    guard let frame = open.popLast() else { return }
    let isHidden = frame.isPrivate || Self.shows(frame.hidden, operation, result)
    let trace = FlagTrace(
      operation: isLiteral ? nil : operation, operands: frame.operands, remark: frame.remark,
      result: isHidden ? .string(Plug.hidden) : result)
    open[open.count - 1].operands.append(trace)
    if isHidden { open[open.count - 1].hidden.append(result) }
  }

  /// Whether a result is one of the hidden operands, or is made from them.
  private static func shows(_ hidden: [FlagValue], _ operation: String, _ result: FlagValue) -> Bool {
    switch (result, operation) {
    case _ where hidden.isEmpty: false
    case (.null, _), (.bool, _): false
    // They choose among their operands.
    case (_, "if"), (_, "?:"), (_, "or"), (_, "and"), (_, "fractional"): hidden.contains(result)
    default: true
    }
  }

  /// Notes that the innermost expression reads an attribute, or a part of what a loop looks at.
  func noteReading(_ path: [String], inLoop isInLoop: Bool) {
    if privateNames.isEmpty { return }
    let isPrivate = isInLoop ? open.contains { !$0.hidden.isEmpty } : path.first.map(privateNames.contains) ?? true
    open[open.count - 1].isPrivate = isPrivate
  }

  /// Sets the remark of the innermost expression that has not ended.
  func remark(_ text: String) {
    open[open.count - 1].remark = text
  }

  /// The whole evaluation; `nil` if it did not finish.
  var trace: FlagTrace? { open.first?.operands.first }
}
