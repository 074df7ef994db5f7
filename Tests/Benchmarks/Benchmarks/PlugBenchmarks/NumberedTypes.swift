/// Ten types, to be combined into as many different services as are needed.
protocol Digit: Sendable {}
enum D0: Digit {}
enum D1: Digit {}
enum D2: Digit {}
enum D3: Digit {}
enum D4: Digit {}
enum D5: Digit {}
enum D6: Digit {}
enum D7: Digit {}
enum D8: Digit {}
enum D9: Digit {}

/// A service that only its number tells from others.
protocol Numbered: AnyObject, Sendable { init() }
final class Number<A: Digit, B: Digit, C: Digit, D: Digit>: Numbered {}

enum NumberedTypes {
  /// Ten thousand different types.
  static let all: [any Numbered.Type] = {
    let digits: [any Digit.Type] = [
      D0.self, D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self,
    ]
    var types: [any Numbered.Type] = []
    for a in digits { for b in digits { for c in digits { for d in digits { types.append(number(a, b, c, d)) } } } }
    return types
  }()

  private static func number<A: Digit, B: Digit, C: Digit, D: Digit>(
    _: A.Type, _: B.Type, _: C.Type, _: D.Type
  ) -> any Numbered.Type {
    Number<A, B, C, D>.self
  }
}
