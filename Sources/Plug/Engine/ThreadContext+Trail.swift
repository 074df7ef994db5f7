extension ThreadContext {
  /// The steps from the outermost to the innermost.
  var trail: [Step] {
    var steps: [Step] = []
    var frame = unsafe top
    while let pointer = unsafe frame {
      if let history = unsafe pointer.pointee.history {
        steps += history.steps
        break
      }
      unsafe steps.append(pointer.pointee.step.takeUnretainedValue())
      unsafe frame = unsafe pointer.pointee.parent
    }
    return steps.reversed()
  }

  /// Whether the step stands on this thread's stack or in the history of what is being configured.
  func isRunning(_ step: Unmanaged<Step>) -> Bool {
    var frame = unsafe top
    while let pointer = unsafe frame {
      if let history = unsafe pointer.pointee.history {
        return history.steps.contains { unsafe Unmanaged.passUnretained($0).toOpaque() == step.toOpaque() }
      }
      if unsafe pointer.pointee.step.toOpaque() == step.toOpaque() { return true }
      unsafe frame = unsafe pointer.pointee.parent
    }
    return false
  }

  /// The trail in a form that outlives its frames, shared between those who ask on the same levels.
  func makeHistory() -> History? {
    var missing: [UnsafeMutablePointer<Frame>] = unsafe []
    var frame = unsafe top
    while let pointer = unsafe frame, unsafe pointer.pointee.history == nil {
      unsafe missing.append(pointer)
      unsafe frame = unsafe pointer.pointee.parent
    }
    var history = unsafe frame?.pointee.history
    while let pointer = unsafe missing.popLast() {
      history = unsafe History(step: pointer.pointee.step.takeUnretainedValue(), parent: history)
      unsafe pointer.pointee.history = history
    }
    return history
  }
}

/// The steps that led to an instance, kept until its configuration has run.
final class History: Sendable {
  let step: Step
  let parent: History?

  init(step: Step, parent: History?) {
    self.step = step
    self.parent = parent
  }

  /// From the innermost to the outermost.
  var steps: UnfoldFirstSequence<Step> {
    var node: History? = self
    return sequence(first: step) { _ in
      node = node?.parent
      return node?.step
    }
  }
}
