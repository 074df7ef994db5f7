/// Whether an entry is what its injector has for its key.
enum EntryStatus {
  case own
  /// Another may take its place in a moment.
  case reserved
  /// Another has taken its place, or the registration has gone. Whoever comes looks there again.
  case replaced
}
