import Foundation

/// Semantic Versioning 2.0.0, with what flagd tolerates.
enum NaiveVersion {
  static func compare(_ values: [NaiveValue]) -> Bool? {
    guard values.count == 3, case .text(let comparison) = values[1], let left = parse(values[0]),
      let right = parse(values[2])
    else { return nil }
    let order = order(left.numbers, right.numbers) ?? orderOfReleases(left.identifiers, right.identifiers)
    switch comparison {
    case "=": return order == 0
    case "!=": return order != 0
    case "<": return order < 0
    case "<=": return order <= 0
    case ">": return order > 0
    case ">=": return order >= 0
    case "^": return left.numbers[0] == right.numbers[0]
    case "~": return left.numbers[..<2] == right.numbers[..<2]
    default: return nil
    }
  }

  private static func parse(_ value: NaiveValue) -> (numbers: [Int], identifiers: [String])? {
    switch value {
    case .text, .number: break
    default: return nil
    }
    let number = "(0|[1-9][0-9]*)"
    let identifier = "(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)"
    let pattern =
      "^[vV]?\(number)(\\.\(number)(\\.\(number)(-\(identifier)(\\.\(identifier))*)?(\\+[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?)?)?$"
    guard value.asText.range(of: pattern, options: .regularExpression) != nil, !value.asText.contains("\n") else {
      return nil
    }
    let text = value.asText.drop { $0 == "v" || $0 == "V" }.prefix { $0 != "+" }
    let halves = text.split(separator: "-", maxSplits: 1)
    let numbers = halves[0].split(separator: ".").compactMap { Int($0) }
    return (
      Array((numbers + [0, 0]).prefix(3)), halves.dropFirst().flatMap { $0.split(separator: ".").map(String.init) }
    )
  }

  private static func order(_ left: [Int], _ right: [Int]) -> Int? {
    zip(left, right).first { $0 != $1 }.map { $0 < $1 ? -1 : 1 }
  }

  private static func orderOfReleases(_ left: [String], _ right: [String]) -> Int {
    if left.isEmpty || right.isEmpty { return left.count == right.count ? 0 : left.isEmpty ? 1 : -1 }
    guard let (first, second) = zip(left, right).first(where: { $0 != $1 }) else {
      return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
    }
    switch (Int(first), Int(second)) {
    case (let first?, let second?): return first < second ? -1 : 1
    case (_?, nil): return -1
    case (nil, _?): return 1
    case (nil, nil): return first < second ? -1 : 1
    }
  }
}
