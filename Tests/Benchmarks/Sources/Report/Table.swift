import Foundation

/// The rows as a Markdown table.
struct Table {
  let rows: [Row]
  let slack: Double

  var markdown: String {
    let cells = [["", "Plug", "by hand", "ratio", "limit"], ["---", "--:", "--:", "--:", "--:"]] + rows.map(cells)
    let widths = (0..<5).map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { line in
      "| "
        + zip(line, widths).enumerated().map { column, cell in
          let padding = String(repeating: " ", count: cell.1 - cell.0.count)
          return column == 0 ? cell.0 + padding : padding + cell.0
        }.joined(separator: " | ") + " |"
    }.joined(separator: "\n")
  }

  private func cells(_ row: Row) -> [String] {
    let limit = row.limit.map { "≤ " + String(format: "%.1f", $0 * slack) } ?? ""
    return [row.title, time(row.plug), time(row.reference), String(format: "%.2f", row.ratio), limit]
  }

  private func time(_ nanoseconds: Double) -> String {
    nanoseconds < 10_000
      ? String(format: "%.1f ns", nanoseconds) : String(format: "%.1f µs", nanoseconds / 1000)
  }

  /// Replaces what stands between the marks of a Markdown file.
  func write(into file: URL) throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    let parts = text.components(separatedBy: Self.mark)
    guard parts.count == 3 else { throw MissingMarks(file: file.lastPathComponent) }
    let body = "\n\(Self.machine)\n\n\(markdown)\n"
    try [parts[0], body, parts[2]].joined(separator: Self.mark)
      .write(to: file, atomically: true, encoding: .utf8)
  }

  private static let mark = "<!-- measured -->"

  private struct MissingMarks: Error, CustomStringConvertible {
    let file: String
    var description: String { "\(file) must have \(Table.mark) twice, around the table." }
  }

  private static var machine: String {
    let info = ProcessInfo.processInfo
    let processor = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
      .split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    return "\(info.operatingSystemVersionString), \(processor ?? "unknown processor"), "
      + "\(info.activeProcessorCount) cores, \(Date.now.formatted(.iso8601.year().month().day()))."
  }
}
