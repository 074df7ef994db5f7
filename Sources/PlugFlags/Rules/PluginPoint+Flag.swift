public import Plug
import PlugKeys

extension PluginPoint where Context: FlagContext {
  /// Creates a point that a flag decides: a candidate applies if the variant of the flag has its id.
  ///
  /// ```swift
  /// PluginPoint<any Checkout, Shopper>("checkout", decidedBy: "checkout-flag") {
  ///   Candidate("one-click") { OneClick() }
  ///   Candidate("classic") { Classic() }
  /// }
  /// ```
  ///
  /// The name of the variant decides, not its value. A candidate with a rule of its own applies if the rule is
  /// satisfied, too. The flag also decides the candidates of nested points.
  ///
  /// If the flag cannot be evaluated, or the caller's default is used, no candidate applies. Then a registration of the
  /// service without a rule is the fallback, and without one a request throws `InjectorError.noCandidate` with the
  /// reason for each candidate.
  ///
  /// `audit()` of PlugOperations reports each variant of the flag that has no candidate with its name, in the document
  /// that is current at that time.
  ///
  /// - Parameters:
  ///   - id: The name of the point.
  ///   - key: The key of the flag.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - elements: The candidates and nested points.
  public init(
    _ id: String, decidedBy key: String, fileID: String = #fileID, line: Int = #line,
    @PluginBuilder<Service, Context> _ elements: () -> PluginBuilder<Service, Context>
  ) {
    var mention = mention(ofFlag: key)
    mention.names = ("variant", { injector in (try? injector.get(Flags.self))?[key]?.variants ?? [] })
    let name = HashedName(key)
    let rule = Rule<Context>.decided(
      mentioning: mention, seeing: { try Operand(ofFlag: key, in: $0, from: $1) },
      by: { context, injector in try injector.variant(of: name, in: context)?.name })
    self = Self(id, fileID: fileID, line: line, elements).mapping {
      $0.when(rule(Rule<Context>.name(ofFlag: key, variant: $0.id), $0.id))
    }
  }
}
