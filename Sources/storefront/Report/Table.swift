/// Text in columns that are as wide as their widest cell.
struct Table {
  let header: [String]
  var rows: [[String]] = []
}

extension Table: CustomStringConvertible {
  /// The header and the rows, each ended by a line break.
  var description: String {
    let lines = [header] + rows
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line($0, widths: widths) + "\n" }.joined()
  }

  private func line(_ cells: [String], widths: [Int]) -> String {
    // The last column is not padded, so that no line ends with spaces.
    let padded = zip(cells, widths).dropLast().map { cell, width in
      cell + String(repeating: " ", count: width - cell.count)
    }
    return (padded + cells.suffix(1)).joined(separator: "  ")
  }
}
