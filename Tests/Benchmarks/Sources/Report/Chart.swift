import Foundation

/// Cost against size, as a picture: both axes are logarithmic.
struct Chart {
  private struct Series {
    let title: String
    let color: String
    /// Sizes and nanoseconds for each operation.
    let points: [(size: Double, time: Double)]

    /// Takes the rows whose titles differ in the size alone, which stands between `prefix` and `suffix`: a row of
    /// another kind, such as one of tags among those of types, would be a second point of the same size.
    init(_ title: String, _ color: String, _ rows: [Row], prefix: String, suffix: String) {
      self.title = title
      self.color = color
      points =
        rows.filter { $0.title.hasPrefix(prefix) && $0.title.hasSuffix(suffix) }
        .compactMap { row in
          Double(row.title.dropFirst(prefix.count).dropLast(suffix.count)).map { ($0, row.plug) }
        }
        .sorted { $0.size < $1.size }
    }
  }

  private let series: [Series]
  private let width = 720.0
  private let height = 420.0
  private let left = 60.0
  private let right = 130.0
  private let top = 20.0
  private let bottom = 50.0

  init(rows: [Row]) {
    series = [
      Series("get, sealed", "#1f77b4", rows, prefix: "get, sealed, ", suffix: " registered"),
      Series("get, not sealed", "#ff7f0e", rows, prefix: "get, not sealed, ", suffix: " registered"),
      Series("register", "#2ca02c", rows, prefix: "register, each of ", suffix: " types"),
      Series("one gated plugin", "#d62728", rows, prefix: "each of ", suffix: " gated plugins, all in"),
    ]
  }

  private func x(_ size: Double) -> Double { left + (log10(size) - 1) / 3 * (width - left - right) }
  private func y(_ time: Double) -> Double { height - bottom - (log10(time) - 1) / 2 * (height - top - bottom) }

  var svg: String {
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(Int(width)) \#(Int(height))" font-family="sans-serif" font-size="13">"#,
      #"<title>Nanoseconds for each operation against the number of registrations or candidates</title>"#,
      #"<rect width="100%" height="100%" fill="white"/>"#,
    ]
    for size in [10.0, 100, 1000, 10_000] {
      lines.append(line(x(size), top, x(size), height - bottom))
      lines.append(label(x(size), height - bottom + 20, "\(Int(size))", anchor: "middle"))
    }
    for time in [10.0, 20, 50, 100, 200, 500, 1000] {
      lines.append(line(left, y(time), width - right, y(time)))
      lines.append(label(left - 8, y(time) + 4, "\(Int(time)) ns", anchor: "end"))
    }
    lines.append(label((left + width - right) / 2, height - 10, "registrations or candidates", anchor: "middle"))
    lines += series.flatMap(draw)
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  private func draw(_ series: Series) -> [String] {
    let places = series.points.map { (x: x($0.size), y: y($0.time)) }
    guard let last = places.last else { return [] }
    let path = places.map { "\(round($0.x)),\(round($0.y))" }.joined(separator: " ")
    return [#"<polyline points="\#(path)" fill="none" stroke="\#(series.color)" stroke-width="2"/>"#]
      + places.map { #"<circle cx="\#(round($0.x))" cy="\#(round($0.y))" r="3.5" fill="\#(series.color)"/>"# }
      + [label(last.x + 12, last.y + 4, series.title, anchor: "start", color: series.color)]
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    #"<line x1="\#(round(x1))" y1="\#(round(y1))" x2="\#(round(x2))" y2="\#(round(y2))" stroke="lightgray"/>"#
  }

  private func label(_ x: Double, _ y: Double, _ text: String, anchor: String, color: String = "black") -> String {
    #"<text x="\#(round(x))" y="\#(round(y))" text-anchor="\#(anchor)" fill="\#(color)">\#(text)</text>"#
  }
}
