/// The parsed command line.
struct Arguments: Equatable {
  var shopperID: String?
  var dataFile: String?
  var time: Moment?
  var share: Double?
  var word: String?
  var disabled: CandidateName?
  var flagsFile: String?
  var wish: String?
  var explains = false
  var showsImpact = false
  var graph: GraphFormat?
  var showsHelp = false

  static let help = """
    Shows what each shopper is offered: the checkout, payment methods, search providers and delivery.

    Usage: storefront [--as ID] [--at TIME] [CHANGE] [--explain] [--data FILE]
           storefront --search WORD [--as ID] [--at TIME] [CHANGE] [--data FILE]
           storefront --what-if CANDIDATE [--as ID] [--at TIME] [CHANGE] [--data FILE]
           storefront --impact CHANGE [--as ID] [--at TIME] [--data FILE]
           storefront --graph FORMAT

    A CHANGE is --share PERCENT, --disable CANDIDATE@POINT, --flags FILE, or several of them.

      --as ID          Show one shopper only.
      --at TIME        Use this time instead of the current one: 2026-12-24T18:00.
      --share PERCENT  Roll the semantic search out to this share of all shoppers instead of 50.
      --disable CANDIDATE@POINT
                       Switch a candidate off, such as semantic@search.
      --flags FILE     Decide by the flags of a document in flagd's format instead of the built-in ones.
      --explain        Explain why each candidate is in or out.
      --search WORD    Show what each shopper finds instead, and what the providers have logged.
      --what-if CANDIDATE
                       Show what would have to differ for each shopper to get a candidate first.
      --impact         Show what the change would do for each shopper, instead of making it.
      --data FILE      Read the shoppers from a JSON file instead of the built-in ones.
      --graph FORMAT   Show the dependency graph instead: mermaid, dot or text.
      --help           Show this text.

    """

  /// Parses the arguments, without the name of the program.
  init(_ arguments: [String]) throws(UsageError) {
    var remaining = arguments[...]
    while let argument = remaining.popFirst() {
      switch argument {
      case "--as": shopperID = try Self.value(of: argument, from: &remaining)
      case "--at": time = try Self.time(Self.value(of: argument, from: &remaining))
      case "--share": share = try Self.share(Self.value(of: argument, from: &remaining))
      case "--data": dataFile = try Self.value(of: argument, from: &remaining)
      case "--disable": disabled = try Self.candidate(Self.value(of: argument, from: &remaining))
      case "--flags": flagsFile = try Self.value(of: argument, from: &remaining)
      case "--what-if": wish = try Self.value(of: argument, from: &remaining)
      case "--impact": showsImpact = true
      case "--explain": explains = true
      case "--search": word = try Self.value(of: argument, from: &remaining)
      case "--graph": graph = try GraphFormat(Self.value(of: argument, from: &remaining))
      case "--help":
        // A request for help is answered even if the other arguments are invalid.
        showsHelp = true
        return
      default: throw argument.hasPrefix("-") ? .unknownOption(argument) : .unexpectedArgument(argument)
      }
    }
    if showsImpact, share == nil, disabled == nil, flagsFile == nil { throw .missingChange }
  }

  private static func candidate(_ text: String) throws(UsageError) -> CandidateName {
    guard let name = CandidateName(text) else { throw .invalidCandidate(text, option: "--disable") }
    return name
  }

  private static func time(_ text: String) throws(UsageError) -> Moment {
    guard let time = Moment(text) else { throw .invalidTime(text, option: "--at") }
    return time
  }

  private static func share(_ text: String) throws(UsageError) -> Double {
    guard let share = Double(text), (0...100).contains(share) else { throw .invalidShare(text, option: "--share") }
    return share
  }

  private static func value(
    of option: String, from remaining: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    // An option in its place means that the value is missing: no shopper is called "--explain".
    guard let value = remaining.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
      throw .missingValue(option)
    }
    return value
  }
}
