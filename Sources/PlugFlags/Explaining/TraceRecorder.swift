/// Collects the evaluated expressions. It belongs to one evaluation.
@usableFromInline
final class TraceRecorder {
  private var open: [(operands: [FlagTrace], remark: String?)] = [([], nil)]

  /// Begins an expression. The expressions that are recorded until it ends are its operands.
  func begin() {
    open.append(([], nil))
  }

  func end(_ operation: String, isLiteral: Bool, _ result: FlagValue) {
    guard let (operands, remark) = open.popLast() else { return }
    let trace = FlagTrace(
      operation: isLiteral ? nil : operation, operands: operands, remark: remark, result: result)
    open[open.count - 1].operands.append(trace)
  }

  /// Sets the remark of the innermost expression that has not ended.
  func remark(_ text: String) {
    open[open.count - 1].remark = text
  }

  /// The whole evaluation; `nil` if it did not finish.
  var trace: FlagTrace? { open.first?.operands.first }
}
