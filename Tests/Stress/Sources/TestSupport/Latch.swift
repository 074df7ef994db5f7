/// Lets tasks wait until the latch is opened.
package final class Latch: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var arrivals = 0
    var expecting: [(count: Int, CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  package init() {}

  package func wait() async {
    await withCheckedContinuation { continuation in
      let (isOpen, ready) = state.withLock { state in
        state.arrivals += 1
        let ready = state.expecting.filter { $0.count <= state.arrivals }.map(\.1)
        state.expecting.removeAll { $0.count <= state.arrivals }
        if !state.isOpen { state.waiting.append(continuation) }
        return (state.isOpen, ready)
      }
      for waiting in ready { waiting.resume() }
      if isOpen { continuation.resume() }
    }
  }

  /// Waits until `count` tasks wait for the latch.
  package func arrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.arrivals >= count { return true }
        state.expecting.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  package var isOpen: Bool { state.withLock { $0.isOpen } }

  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
