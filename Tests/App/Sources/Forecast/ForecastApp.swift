import Plug
import SwiftUI

nonisolated extension Injector.Name {
  static let app: Self = "forecast"
}

@main
struct ForecastApp: App {
  let services = Injector(.app) { services in
    try services.register((any Weather).self) { LiveWeather() }
    try services.register(
      .factory(wiring: ForecastModel.init))
  }

  var body: some Scene {
    WindowGroup { ForecastScreen() }
  }
}
