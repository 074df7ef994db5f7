public import Foundation
public import Plug
import PlugKeys

extension Rule {
  /// Satisfied from one moment until another.
  ///
  /// ```swift
  /// Candidate("christmas") { ChristmasShop() }
  ///   .when(.between(firstOfDecember, secondOfJanuary))
  /// ```
  ///
  /// The rule reads the `Timestamp` of the injector that makes the choice, so that a test can set the time. It reads
  /// the time with each choice: `selections(of:tag:)` does not yield when time passes.
  ///
  /// - Parameters:
  ///   - start: The first moment that satisfies the rule.
  ///   - end: The first moment after `start` that does not satisfy the rule. If it is before `start`, the rule is
  ///     indeterminate.
  public static func between(_ start: Date, _ end: Date) -> Self {
    atTime("time in \(text(start))..<\(text(end))", seeing: text) { now in
      guard start <= end else { throw InvalidTime(problem: "\(text(start)) is not before \(text(end))") }
      return start <= now && now < end
    }
  }

  /// Satisfied on the given days of the week.
  ///
  /// - Parameters:
  ///   - days: The days.
  ///   - zone: The time zone that determines the beginning of a day.
  public static func weekdays(_ days: Set<Locale.Weekday>, in zone: TimeZone) -> Self {
    let clock = LocalClock(zone)
    let names = LocalClock.weekdays.filter(days.contains).map(\.rawValue).joined(separator: ", ")
    return atTime("weekday in [\(names)] in \(zone.identifier)", seeing: { clock.weekday($0)?.rawValue ?? "none" }) {
      clock.weekday($0).map(days.contains) ?? false
    }
  }

  /// Satisfied during the given hours of each day.
  ///
  /// ```swift
  /// .hours(from: 9, to: 17, in: berlin) && .weekdays([.monday, .friday], in: berlin)
  /// .hours(from: 22, to: 6, in: berlin)  // over midnight
  /// ```
  ///
  /// The rule uses the local time of the zone. At the end of daylight saving time, it is satisfied in both occurrences
  /// of a repeated hour. At its beginning, the skipped hour does not occur.
  ///
  /// - Parameters:
  ///   - start: The first hour, in 0 ... 24.
  ///   - end: The hour after the last one, in 0 ... 24. Any other value makes the rule indeterminate.
  ///   - zone: The time zone.
  public static func hours(from start: Int, to end: Int, in zone: TimeZone) -> Self {
    let clock = LocalClock(zone)
    let name = "hour in \(start)..<\(end) in \(zone.identifier)"
    return atTime(name, seeing: { "\(clock.hour($0))" }) { now in
      guard (0...24).contains(start), (0...24).contains(end) else {
        throw InvalidTime(problem: "\(start)..<\(end) are no hours in 0...24")
      }
      let hour = clock.hour(now)
      return start <= end ? start <= hour && hour < end : hour >= start || hour < end
    }
  }

  /// Satisfied for a percentage of all identifiers that grows or shrinks over time.
  ///
  /// ```swift
  /// .ramp(from: 5, to: 100, during: monday..<friday, of: "one-click", by: \.id)
  /// ```
  ///
  /// The percentage is `first` before the period and `last` after it, and changes linearly in between. A growing
  /// percentage keeps every identifier that it included before. The current time is the `Timestamp` of the injector
  /// that makes the choice.
  ///
  /// - Parameters:
  ///   - first: The percentage before the period, in 0 ... 100.
  ///   - last: The percentage after the period, in 0 ... 100. Any other value makes the rule indeterminate.
  ///   - time: The period in which the percentage changes.
  ///   - name: The name of the rollout.
  ///   - identifier: The property of the context with the identifier, such as the id of an account, which may be
  ///     optional.
  ///   - hashing: The hashing that assigns identifiers to buckets.
  public static func ramp(
    from first: Double, to last: Double, during time: Range<Date>, of name: String,
    by identifier: any KeyPath<Context, some Comparable & CustomStringConvertible & Sendable> & Sendable,
    hashing: RolloutHashing = .plug
  ) -> Self { ramp(from: first, to: last, during: time, of: name, by: Identity(identifier), hashing) }

  /// Satisfied for a percentage that grows or shrinks over time; indeterminate for an identifier that is `nil`.
  @_documentation(visibility: internal)
  public static func ramp(
    from first: Double, to last: Double, during time: Range<Date>, of name: String,
    by identifier: any KeyPath<Context, (some Comparable & CustomStringConvertible & Sendable)?> & Sendable,
    hashing: RolloutHashing = .plug
  ) -> Self { ramp(from: first, to: last, during: time, of: name, by: Identity(identifier), hashing) }

  private static func ramp(
    from first: Double, to last: Double, during time: Range<Date>, of name: String, by identity: Identity<Context>,
    _ hashing: RolloutHashing
  ) -> Self {
    let share =
      "from \(shortest(first))% to \(shortest(last))% during \(text(time.lowerBound))..<\(text(time.upperBound))"
    let length = time.upperBound.timeIntervalSince(time.lowerBound)
    return rollout(share, of: name, by: identity, hashing: hashing) { context, asked in
      if !(0...100).contains(first) { return first }
      if !(0...100).contains(last) { return last }
      let now = try self.now(context, asked)
      if now >= time.upperBound { return last }
      return first + (last - first) * max(0, now.timeIntervalSince(time.lowerBound) / length)
    }
  }

  /// Creates a rule about the current time.
  private static func atTime(
    _ name: String, seeing text: @escaping @Sendable (Date) -> String,
    _ test: @escaping @Sendable (Date) throws -> Bool
  ) -> Self {
    Rule(name, { try test(now($0, $1)) }, seeing: { Operand(text: text(try now($0, $1))) })
  }

  /// The current time of the injector that evaluates the rule, or of the context if that is an injector.
  private static func now(_ context: Context, _ asked: Injector) throws -> Date {
    try (context as? Injector ?? asked).get(Timestamp.self).date
  }
}

/// A date in the format that the explanations of rules use.
@Sendable
private func text(_ date: Date) -> String { date.formatted(.iso8601) }

/// The local time in a time zone.
private struct LocalClock: Sendable {
  /// The days of the week in the order in which the calendar numbers them.
  static let weekdays: [Locale.Weekday] = [.sunday, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday]

  private let calendar: Calendar

  init(_ zone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
  }

  func hour(_ date: Date) -> Int { calendar.component(.hour, from: date) }

  func weekday(_ date: Date) -> Locale.Weekday? {
    let number = calendar.component(.weekday, from: date)
    return Self.weekdays.indices.contains(number - 1) ? Self.weekdays[number - 1] : nil
  }
}

/// The reason why a rule about an impossible time is indeterminate.
private struct InvalidTime: Error, CustomStringConvertible {
  let problem: String
  var description: String { problem }
}
