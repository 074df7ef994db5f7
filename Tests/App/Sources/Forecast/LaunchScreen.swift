import Plug
import SwiftUI

struct LaunchScreen: View {
  let services: Injector
  @State var isReady = false
  @State var failure: String?

  var body: some View {
    if isReady {
      ForecastScreen()
    } else if let failure {
      Text(failure)
    } else {
      ProgressView().task { await launch() }
    }
  }

  func launch() async {
    do {
      try await services.start(timeout: .seconds(30))
      isReady = true
    } catch {
      failure = "\(error)"
    }
  }
}
