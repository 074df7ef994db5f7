extension Array where Element: AnyObject {
  /// The addresses of the objects, for one who keeps them as well: whoever walks these counts no references, and looks
  /// for no metadata of their type.
  var addresses: [UnsafeRawPointer] {
    unsafe map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
  }
}
