/// Why a registry did not change.
enum Refusal: Error {
  case registered(CodeLocation, candidate: String?)
  case otherContext(expected: String, found: String, CodeLocation)
  case missing
  case sealed(CodeLocation?)
  case made(CodeLocation)
  case closed
}
