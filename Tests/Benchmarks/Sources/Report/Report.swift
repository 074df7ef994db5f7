import ArgumentParser
import Foundation

/// Compares what the benchmark has measured with the limits.
@main
struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the ratios of a benchmark run, and fails if one is over its limit.")

  @Argument(help: "What the benchmark has exported with --format jmh.")
  var results: String

  @Option(help: "By how much the limits are widened, for a noisy machine.")
  var slack = 1.0

  @Option(help: "A Markdown file to write the table into; a chart is written beside it.")
  var document: String?

  func run() throws {
    let rows = try Row.read(URL(fileURLWithPath: results))
    let table = Table(rows: rows, slack: slack)
    print(table.markdown)
    if let document {
      let file = URL(fileURLWithPath: document)
      try table.write(into: file)
      let chart = file.deletingPathExtension().appendingPathExtension("svg")
      try Chart(rows: rows).svg.write(to: chart, atomically: true, encoding: .utf8)
    }
    let over = rows.filter { $0.isOver(slack: slack) }
    for row in over { print("Over the limit: \(row.title)") }
    if !over.isEmpty { throw ExitCode.failure }
  }
}
