import Observation
import Plug
import PlugIsolation
import SwiftUI

@Observable
final class ForecastModel {
  private(set) var text = "–"
  private let weather: any Weather

  init(weather: any Weather) { self.weather = weather }

  func load() async {
    text = (try? await weather.report(in: "Rome")) ?? "No forecast"
  }
}

struct ForecastScreen: View {
  @State private var model: ForecastModel

  init(model: ForecastModel = Injector[.app].resolve()) {
    _model = State(initialValue: model)
  }

  var body: some View {
    Text(model.text)
      .task { await model.load() }
  }
}

#if canImport(DeveloperToolsSupport)
  #Preview {
    ForecastScreen(
      model: ForecastModel(weather: FixedWeather(text: "Rome: 3 °C")))
  }
#endif
