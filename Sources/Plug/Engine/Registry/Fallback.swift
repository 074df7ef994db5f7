/// The registration without a rule, as a candidate.
enum Fallback {
  /// Its id, which no other candidate beside it can have.
  static let id = "default"
}
