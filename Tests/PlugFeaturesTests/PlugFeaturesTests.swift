import Foundation
import Plug
import PlugFeatures
import PlugKeys
import Testing

@Suite("The common features")
struct PlugFeaturesTests {
  @Test("tell the time: the system's, or a constant one")
  func timestamp() {
    let injector = Injector()
    let before = Date().timeIntervalSince1970
    let now = injector.timestamp.now
    #expect((before...Date().timeIntervalSince1970).contains(now))
    injector.timestamp = .constant(1_700_000_000)
    #expect(injector.timestamp.now == 1_700_000_000)
    #expect(injector.timestamp.date == Date(timeIntervalSince1970: 1_700_000_000))
  }

  @Test("draw random numbers: those of the system, seeded ones that all copies share, or a constant one")
  func randomness() {
    let injector = Injector()
    #expect(injector.randomness.next() != injector.randomness.next())
    injector.randomness = .seeded(42)
    // The first numbers of SplitMix64 with the seed 42.
    let first = [injector.randomness.next(), injector.randomness.next()]
    #expect(first == [13_679_457_532_755_275_413, 2_949_826_092_126_892_291])
    injector.randomness = .seeded(42)
    var copy = injector.randomness
    let other = injector.randomness
    #expect([copy.next(), other.next()] == first)
    #expect((1...6).contains(Int.random(in: 1...6, using: &copy)))
  }

  @Test(
    "draw from the same place of every range, if they are constant, whatever its size",
    arguments: [(0.0, 0), (0.25, 1), (0.5, 2), (0.999, 3), (1, 3), (-1, 0), (2, 3), (.infinity, 3), (.nan, 0)])
  func constantRandomness(_ fraction: Double, _ quarter: Int) {
    var randomness = Randomness.constant(fraction)
    #expect(["a", "b", "c", "d"].randomElement(using: &randomness) == ["a", "b", "c", "d"][quarter])
    #expect(Int(Double.random(in: 0..<4, using: &randomness)) == quarter)
    #expect(Int(Float.random(in: 0..<4, using: &randomness)) == quarter)
    #expect(UInt8.random(in: 0..<4, using: &randomness) == quarter)
    #expect(Int16.random(in: 0..<4, using: &randomness) == quarter)
    #expect(UInt32.random(in: 0..<4, using: &randomness) == quarter)
    #expect((0...4).contains(Double.random(in: 0...4, using: &randomness)))
    let clamped = fraction > 0 ? min(fraction, 1) : 0
    for size in Array(1...1_000) + [1 << 20, 1 << 31 - 1, 1 << 31, 1 << 62] {
      let place = Double(Int.random(in: 0..<size, using: &randomness))
      #expect(abs(place - (Double(size) * clamped).rounded(.down)) <= Double(size / 1024 + 1))
    }
    for size in 1...UInt8.max { #expect(UInt8.random(in: 0..<size, using: &randomness) < size) }
    for size in 1...1_000 as ClosedRange<UInt32> {
      let place = Double(UInt32.random(in: 0..<size, using: &randomness))
      #expect(abs(place - (Double(size) * clamped).rounded(.down)) <= Double(size / 256 + 1))
    }
  }

  @Test("make identifiers: random, in sequence, or a constant one")
  func uuids() throws {
    let injector = Injector()
    #expect(injector.uuids.next() != injector.uuids.next())
    injector.uuids = .sequential()
    let texts = (0..<2).map { _ in injector.uuids.next().uuidString }
    #expect(texts == ["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"])
    let constant = UUID()
    injector.uuids = .constant(constant)
    #expect([injector.uuids.next(), injector.uuids.next()] == [constant, constant])
  }

  @Test("read, write and remove files, in memory and in the system alike", arguments: [false, true])
  func files(inMemory: Bool) throws {
    let injector = Injector()
    if inMemory { injector.files = .inMemory() }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    #expect(throws: FileNotFound(path: path)) { try injector.files.read(path) }
    #expect(throws: FileNotFound(path: path)) { try injector.files.remove(path) }
    #expect(!injector.files.exists(path))
    try injector.files.write(Data("first".utf8), to: path)
    try injector.files.write(Data("second".utf8), to: path)
    #expect(try injector.files.read(path) == Data("second".utf8))
    #expect(injector.files.exists(path))
    try injector.files.remove(path)
    #expect(!injector.files.exists(path))
    try injector.files.write(Data(), to: path)
    #expect(throws: FileNotFound(path: path + "/below")) { try injector.files.read(path + "/below") }
    try injector.files.remove(path)
    #expect("\(FileNotFound(path: "a/b"))" == "there is no file \"a/b\"")
  }

  @Test("keep values, in memory and in the user's defaults alike", arguments: [false, true])
  func keyValueStore(inMemory: Bool) throws {
    let injector = Injector()
    injector.keyValueStore = inMemory ? .inMemory() : .userDefaults(suite: "plug.tests.\(UUID().uuidString)")
    let store = injector.keyValueStore
    #expect(try store.value([String].self, for: "names") == nil)
    try store.set(["ada", "bo"], for: "names")
    #expect(try store.value(for: "names") == ["ada", "bo"])
    #expect(throws: DecodingError.self) { try store.value(Int.self, for: "names") }
    #expect(throws: EncodingError.self) { try store.set(Double.nan, for: "names") }
    #expect(try store.value(for: "names") == ["ada", "bo"])
    store.remove("names")
    #expect(try store.value([String].self, for: "names") == nil)
  }

  @Test("keep what each identifier has drawn at each point")
  func assignments() {
    let store = KeyValueStore.inMemory()
    store.assign("a", to: "x:y", at: "p")
    store.assign("b", to: "y", at: "p:x")
    #expect(store.assignment(of: "x:y", at: "p") == "a")
    #expect(store.assignment(of: "y", at: "p:x") == "b")
    #expect(store.assignment(of: "y", at: "p") == nil)
    let point = PluginPoint<Int, String>("p") {
      Candidate("a", .factory { 1 }).weight(1, by: \.self)
      Candidate("c", .factory { 2 }).weight(1_000_000, by: \.self)
    }.sticky(in: store)
    #expect([point.first(in: "x:y"), point.first(in: "z")] == [1, 2])
    #expect(store.assignment(of: "z", at: "p") == "c")
  }
}
