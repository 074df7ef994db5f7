/// What a test makes of a candidate.
package enum CandidateOverride: Sendable {
  case forced
  case disabled
}
