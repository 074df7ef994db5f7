import Foundation

/// A row of the report: how long an operation takes with Plug and with the reference.
struct Row {
  let title: String
  /// Nanoseconds.
  let plug: Double
  /// Nanoseconds.
  let reference: Double
  /// How many times as long as the reference Plug may take, if that is limited.
  let limit: Double?

  var ratio: Double { plug / reference }

  func isOver(slack: Double) -> Bool {
    limit.map { ratio > $0 * slack } ?? false
  }
}

extension Row {
  /// Reads what the benchmark has exported, in the order of its titles.
  ///
  /// - Parameter file: A file in the format of the Java Microbenchmark Harness.
  static func read(_ file: URL) throws -> [Self] {
    let measurements = try JSONDecoder().decode([Measurement].self, from: Data(contentsOf: file))
    return try measurements.map(Self.init).sorted { $0.title.compare($1.title, options: .numeric) == .orderedAscending }
  }

  private init(_ measurement: Measurement) throws {
    title =
      measurement.benchmark.split(separator: ".", maxSplits: 3).last.map {
        $0.replacingOccurrences(of: "_", with: " ")
      } ?? measurement.benchmark
    plug = try measurement.median(of: "Plug") / 1000
    reference = try measurement.median(of: "reference") / 1000
    let limit = try (measurement.median(of: "limit") / 100).rounded() / 10
    self.limit = limit == 0 ? nil : limit
  }
}

private struct Measurement: Decodable {
  struct Metric: Decodable {
    let scorePercentiles: [String: Double]
  }

  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  let benchmark: String
  let secondaryMetrics: [String: Metric]

  func median(of metric: String) throws -> Double {
    guard let median = secondaryMetrics[metric]?.scorePercentiles["50.0"] else {
      throw Missing(description: "\(benchmark) has no median of \(metric).")
    }
    return median
  }
}
