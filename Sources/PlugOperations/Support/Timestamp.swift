import Plug

/// Returns a time in the format of ISO 8601, in UTC and to the second: `2026-11-22T03:12:05Z`.
///
/// The date is computed as in H. Hinnant, "chrono-compatible low-level date algorithms", 2013.
///
/// - Parameter seconds: The time in seconds since 1970.
func timestamp(_ seconds: Double) -> String {
  // Until the end of the year 9999, so that a year has four digits.
  guard (0..<2.534_023_008e11).contains(seconds) else { return "\(shortest(seconds)) s since 1970" }
  let (days, second) = (Int64(seconds) / 86_400, Int64(seconds) % 86_400)
  let shifted = days + 719_468
  let (era, day) = (shifted / 146_097, shifted % 146_097)
  let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
  let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let month = (5 * dayOfYear + 2) / 153
  let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
  let date = [month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1].map(twoDigits)
  let time = [second / 3_600, second / 60 % 60, second % 60].map(twoDigits)
  let digits = String(year)
  let padded = String(repeating: "0", count: 4 - digits.count) + digits
  return "\(padded)-\(date.joined(separator: "-"))T\(time.joined(separator: ":"))Z"
}

private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The time of the system's clock, in seconds since 1970-01-01T00:00:00Z.
func secondsSince1970() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
