// swift-tools-version: 6.2
import PackageDescription

let plug = Target.Dependency.product(name: "Plug", package: "Plug")
let plugIsolation = Target.Dependency.product(name: "PlugIsolation", package: "Plug")
let plugKeys = Target.Dependency.product(name: "PlugKeys", package: "Plug")
let plugTesting = Target.Dependency.product(name: "PlugTesting", package: "Plug")

// What Xcode switches on for new projects.
let approachable: [SwiftSetting] = [
  .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
  .treatAllWarnings(as: .error),
]
let mainActor: [SwiftSetting] = approachable + [.defaultIsolation(MainActor.self)]

// SwiftUI is part of Apple's systems. Elsewhere, the code of the guide is built against the signatures in Shape.
#if os(Linux)
  let swiftUI: [Target.Dependency] = ["SwiftUI"]
  let shape: [Target] = [.target(name: "SwiftUI", path: "Shape/SwiftUI")]
#else
  let swiftUI: [Target.Dependency] = []
  let shape: [Target] = []
#endif

let package = Package(
  name: "ShopApp",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "Plug", path: "../..")],
  targets: [
    .target(name: "Model", dependencies: [plug, plugKeys], swiftSettings: mainActor),
    .target(name: "Store", dependencies: ["Model", plug, plugKeys], swiftSettings: approachable),
    .target(name: "Shop", dependencies: ["Model", plug, plugKeys], swiftSettings: mainActor),
    .target(name: "App", dependencies: ["Model", "Store", "Shop", plug, plugKeys], swiftSettings: mainActor),
    .executableTarget(
      name: "Forecast", dependencies: [plug, plugIsolation] + swiftUI, swiftSettings: mainActor),
    .testTarget(
      name: "ForecastTests", dependencies: ["Forecast", plug, plugTesting] + swiftUI, swiftSettings: mainActor),
    .testTarget(
      name: "ShopAppTests",
      dependencies: ["Model", "Store", "Shop", "App", plug, plugIsolation, plugKeys, plugTesting],
      swiftSettings: mainActor),
  ] + shape,
  swiftLanguageModes: [.v6]
)
