import Observation
import Plug
import PlugIsolation
import SwiftUI

@Observable
final class CityModel {
  let city: String
  private(set) var text = "–"
  @ObservationIgnored @Injected(.app) var weather: any Weather

  init(city: String) { self.city = city }

  func load() async {
    text = (try? await weather.report(in: city)) ?? "No forecast"
  }
}

nonisolated extension Injector {
  var city: MainActorProvider<CityModel, String> {
    provide { city, _ in CityModel(city: city) }
  }
}

struct CityScreen: View {
  @State var model: CityModel

  init(_ city: String) {
    _model = State(initialValue: Injector[.app].city(city))
  }

  var body: some View {
    VStack {
      Text(model.city)
      Text(model.text)
    }
    .task { await model.load() }
  }
}

extension CityScreen {
  static func sample() throws -> some View {
    try Injector.preview {
      try Injector[.app].register((any Weather).self) {
        FixedWeather(text: "Oslo: 3 °C")
      }
      return CityScreen("Oslo")
    }
  }
}

#if canImport(DeveloperToolsSupport)
  #Preview {
    try? CityScreen.sample()
  }
#endif
