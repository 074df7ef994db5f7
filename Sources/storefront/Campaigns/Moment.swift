import Foundation

/// A minute of a day, without a time zone: `2026-12-24T18:00`.
struct Moment: Sendable, Hashable {
  let year: Int
  let month: Int
  let day: Int
  let hour: Int
  let minute: Int

  /// Creates the moment of a date in Coordinated Universal Time.
  init(_ date: Date) {
    let parts = Self.calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    year = parts.year ?? 1970
    month = parts.month ?? 1
    day = parts.day ?? 1
    hour = parts.hour ?? 0
    minute = parts.minute ?? 0
  }

  /// Parses a string such as `2026-12-24T18:00`; `nil` if the string has another format or the date does not exist.
  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/) else { return nil }
    let (_, year, month, day, hour, minute) = match.output
    let numbers = [year, month, day, hour, minute].compactMap { Int($0) }
    let parts = DateComponents(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4])
    guard let date = Self.calendar.date(from: parts) else { return nil }
    self.init(date)
    if description != text { return nil }
  }

  /// A number that identifies the day.
  var dayNumber: UInt64 { UInt64((year * 100 + month) * 100 + day) }

  private static var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }
}

extension Moment: CustomStringConvertible {
  /// The moment in the format that the parser reads.
  var description: String {
    "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(hour, 2)):\(padded(minute, 2))"
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
