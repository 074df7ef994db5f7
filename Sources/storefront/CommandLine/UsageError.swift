/// The reason why the command line is invalid.
enum UsageError: Error, Equatable {
  case unknownOption(String)
  case unexpectedArgument(String)
  case missingValue(String)
  case invalidValue(String, option: String, allowed: [String])
  case invalidTime(String, option: String)
  case invalidShare(String, option: String)
  case invalidCandidate(String, option: String)
  case missingChange
}

extension UsageError: CustomStringConvertible {
  /// The problem, followed by a pointer to the help.
  var description: String {
    let problem =
      switch self {
      case .unknownOption(let option): "unknown option \"\(option)\""
      case .unexpectedArgument(let argument): "unexpected argument \"\(argument)\""
      case .missingValue(let option): "\(option) needs a value"
      case .invalidValue(let value, let option, let allowed):
        "\(option) must be one of \(allowed.joined(separator: ", ")), not \"\(value)\""
      case .invalidTime(let value, let option):
        "\(option) must be a time such as 2026-12-24T18:00, not \"\(value)\""
      case .invalidShare(let value, let option):
        "\(option) must be a number from 0 to 100, not \"\(value)\""
      case .invalidCandidate(let value, let option):
        "\(option) must be a candidate and its point such as semantic@search, not \"\(value)\""
      case .missingChange: "--impact needs a change: --share, --disable or --flags"
      }
    return problem + "\nTry \"storefront --help\"."
  }
}
