extension InjectorError {
  /// Why a module has not been installed, and what to do.
  var refusalOfModule: (headline: String, advice: [String]) {
    let module = facts.service
    switch self {
    case .circularDependency(_, let path):
      return (
        "install(\(module).self) was refused: it requires itself: \(path.joined(separator: " → ")).",
        ["Move what both need into a module that both require."]
      )
    case .constructionFailed(_, let underlying):
      return (
        "install(\(module).self) failed: \(underlying)",
        ["Check register(in:) of \(module). The next install tries again."]
      )
    default: return (module, [])
    }
  }
}
