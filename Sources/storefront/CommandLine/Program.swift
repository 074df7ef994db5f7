import Foundation
import Plug
import PlugFlags
import PlugKeys
import PlugOperations

/// The program as a function from arguments to output.
enum Program {
  /// The output and the exit status of one run.
  struct Result: Equatable {
    var output = ""
    var errorOutput = ""
    var exitCode: Int32 = 0
  }

  /// Runs the program without printing, so that a failed run prints nothing.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, without the name of the program.
  ///   - now: The current time.
  ///   - read: Returns the contents of the file at a path.
  static func run(
    _ arguments: [String], at now: Moment = CurrentTime.defaultValue,
    reading read: (_ path: String) throws -> Data = ShopperFile.read
  ) async -> Result {
    do {
      return Result(output: try await output(for: Arguments(arguments), at: now, reading: read))
    } catch {
      return Result(errorOutput: "storefront: \(error)\n", exitCode: 1)
    }
  }

  private static func output(
    for arguments: Arguments, at now: Moment, reading read: (String) throws -> Data
  ) async throws -> String {
    let storefront = try await Storefront(at: arguments.time ?? now)
    if arguments.showsHelp { return "\(Arguments.help)\n\(try CandidateHelp(storefront.services))" }
    let flags = try arguments.flagsFile.map { try FlagDocument(try read($0), ofFile: $0) }
    let change = Storefront.Change(share: arguments.share, disabled: arguments.disabled, flags: flags)
    if !arguments.showsImpact { try storefront.apply(change) }
    if let format = arguments.graph { return format.text(of: storefront.graph) + "\n" }
    let file = try arguments.dataFile.map { ShopperFile(name: $0, contents: try read($0)) } ?? .embedded
    let everybody = try file.shoppers()
    let shoppers = try arguments.shopperID.map { [try file.shopper(id: $0)] } ?? everybody

    if arguments.showsImpact {
      let impact = try storefront.impact(of: change, on: shoppers)
      guard let flags else { return "\(impact)\n" }
      return ImpactText(impact, on: shoppers, from: storefront.services[Flags.self], to: flags).description
    }
    if let wish = arguments.wish {
      let texts = try shoppers.map { shopper in
        WhatIfText(shopper: shopper, wish: wish, explanations: try storefront.explanations(for: shopper))
      }
      return texts.map(\.description).joined()
    }
    if let word = arguments.word { return try SearchText(of: word, by: shoppers, in: storefront).description }
    let table = OfferTable(services: storefront.services)
    var sections = ["\(try storefront.greeting(for: everybody))\n"]
    sections.append(table.text(of: try shoppers.map { try storefront.offer(for: $0) }))
    if arguments.explains {
      sections.append("\(try storefront.campaignExplanation())\n")
      sections += try shoppers.map { ExplanationText(of: $0, try storefront.explanations(for: $0)).description }
    }
    return sections.joined(separator: "\n")
  }
}
