import Plug

protocol Weather: Sendable {
  func report(for city: String) -> String
}

struct Almanac: Weather {
  func report(for city: String) -> String { "\(city): 21 °C in most years" }
}

struct Forecast: Weather {
  func report(for city: String) -> String { "\(city): 24 °C tomorrow" }
}

/// The person who runs the program: the context of the rules.
struct Reader: FeatureContext {
  let city: String
  let enabledFeatures: Set<String>
}

/// The services of the program. They are registered and checked on first use.
let services = Injector("weather") { services in
  try services.register(
    PluginPoint<any Weather, Reader>("weather") {
      Candidate("forecast") { Forecast() }.when(.feature("forecast"))
      Candidate("almanac") { Almanac() }
    })
}

func report(for reader: Reader) throws -> String {
  try services.get((any Weather).self, in: reader).report(for: reader.city)
}

@main
struct Program {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let reader = Reader(city: arguments.first ?? "Bern", enabledFeatures: Set(arguments.dropFirst()))
    print(try report(for: reader))
  }
}
