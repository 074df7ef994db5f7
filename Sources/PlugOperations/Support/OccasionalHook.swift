import Plug

/// A hook that is installed in an injector only while it has something to do.
protocol OccasionalHook: Hooks {
  init()
  var isIdle: Bool { get }
}

extension Injector {
  /// The hook of a type that this injector keeps.
  func hook<Hook: OccasionalHook>(_ type: Hook.Type) -> Hook { updateAttachment(type) { $0 ?? Hook() } ?? Hook() }

  /// Installs a hook that has something to do, and removes an idle one.
  func settle(_ hook: some OccasionalHook) {
    var isIdle: Bool
    repeat {  // Another thread may have changed what the hook has to do meanwhile.
      isIdle = hook.isIdle
      Layers.install(hook, in: self, !isIdle)
    } while hook.isIdle != isIdle
  }
}

/// An injector that may have been released.
struct WeakInjector: Sendable {
  weak var injector: Injector?
}
