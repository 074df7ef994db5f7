/// Whether it is recorded what is asked for on one level of a resolution, and where. Most factories ask for nothing:
/// there is a record as soon as one does.
///
/// Soundness of the unmanaged references: whoever begins a level holds its injector, or the record that it gives, until
/// the level has ended. A record that is made meanwhile belongs to the level.
@unsafe
enum Recording {
  case none
  /// Nothing has been asked for yet. The injector is the one that the closure is handed.
  case begun(Unmanaged<Injector>)
  case made(Unmanaged<RunRecord>)
  case given(Unmanaged<RunRecord>)
}

extension ThreadContext {
  /// Where it is recorded what the factory or the configuration asks for that is running, if someone wants to know.
  var record: RunRecord? {
    if depth == 0 { return LoadContext.current?.record }
    switch unsafe frames[depth - 1].recording {
    case .none: return nil
    case .begun(let injector):
      let record = RunRecord(in: unsafe injector.takeUnretainedValue())
      unsafe frames[depth - 1].recording = unsafe .made(Unmanaged.passRetained(record))
      return record
    case .made(let record), .given(let record): return unsafe record.takeUnretainedValue()
    }
  }

  /// Ends what `begin` has begun on this level.
  ///
  /// - Returns: The record, if something has been asked for.
  func endRecording() -> RunRecord? {
    Instrumentation.shared.end()
    guard case .made(let record) = unsafe frames[depth - 1].recording else { return nil }
    return unsafe record.takeRetainedValue()
  }
}
