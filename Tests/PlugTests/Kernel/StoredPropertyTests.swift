import Testing

@testable import Plug

private struct Address: Sendable {
  var country = "DE"
  var zip: Int? = 1011
}

private final class Account: Sendable {
  let country = "NL"
}

private struct Shopper: Sendable {
  var age: UInt8 = 17
  var address = Address()
  var second: Address? = Address(country: "FR")
  var account = Account()
  var observed = 1 { didSet { changes += 1 } }
  var changes = 0
  var greet: @Sendable () -> String = { "hello" }
  var pair = (left: 1, right: "two")
  var upper: String { address.country.uppercased() }
}

@Suite("A property that is read by its key path")
struct StoredPropertyTests {
  @Test("has the value of the key path, at any position")
  func all() {
    var shopper = Shopper()
    shopper.observed = 5
    func read<Value>(_ path: any KeyPath<Shopper, Value> & Sendable) -> Value { StoredProperty(path)(shopper) }
    #expect(read(\.age) == 17)
    #expect(read(\.address.country) == "DE")
    #expect(read(\.address.zip) == 1011)
    #expect(read(\.second?.country) == "FR")
    #expect(read(\.account.country) == "NL")
    #expect(read(\.observed) == 5)
    #expect(read(\.changes) == 1)
    #expect(read(\.greet)() == "hello")
    #expect(read(\.pair.right) == "two")
    #expect(read(\.upper) == "DE")
    #expect(read(\.self).age == 17)
    #expect(StoredProperty(\Account.country)(Account()) == "NL")
    #expect(StoredProperty(\String.count)("four") == 4)
  }

  @Test("may be a closure in a condition")
  func closure() {
    let rule = Rule<Shopper>("greets", of: \.greet) { $0() == "hello" }
    #expect(rule.evaluate(in: Shopper()) == .satisfied)
  }
}
