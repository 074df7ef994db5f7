/// How far the server has got.
package enum Phase: String, Sendable {
  /// The database is being opened.
  case starting

  case serving

  /// The server still answers, and tells that nobody should send more.
  case draining
}
