import Plug
import SwiftUI

nonisolated extension Injector.Name {
  static let app: Self = "forecast"
}

@main
struct ForecastApp: App {
  let services = Injector(.app) { services in
    try services.register(as: (any Weather).self) { LiveWeather() }
    try services.register(
      injectable: .factory(wiring: ForecastModel.init))
  }

  var body: some Scene {
    WindowGroup { ForecastScreen() }
  }
}
