// swift-tools-version: 6.2
import PackageDescription

let upcomingFeatures: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
]
let plug = ["Plug", "PlugFlags", "PlugKeys"].map { Target.Dependency.product(name: $0, package: "Plug") }

// OpenFeature's SDK needs Combine, which only Apple's systems have. Elsewhere, the provider is built against the
// packages in Shape, which declare the parts that it uses of both.
#if os(Linux)
  let dependencies: [Package.Dependency] = []
  let openFeature: [Target.Dependency] = ["OpenFeature", "Combine"]
  let shapes: [Target] = [
    .target(name: "Combine", path: "Shape/Combine", swiftSettings: upcomingFeatures),
    .target(
      name: "OpenFeature", dependencies: ["Combine"], path: "Shape/OpenFeature", swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugOpenFeatureTests", dependencies: plug + ["PlugOpenFeature", "OpenFeature", "Combine"],
      swiftSettings: upcomingFeatures),
  ]
#else
  let dependencies: [Package.Dependency] = [
    .package(url: "https://github.com/open-feature/swift-sdk", .upToNextMinor(from: "0.6.0"))
  ]
  let openFeature: [Target.Dependency] = [.product(name: "OpenFeature", package: "swift-sdk")]
  let shapes: [Target] = []
#endif

let package = Package(
  name: "PlugOpenFeature",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "PlugOpenFeature", targets: ["PlugOpenFeature"])],
  dependencies: [.package(name: "Plug", path: "../../..")] + dependencies,
  targets: [
    .target(name: "PlugOpenFeature", dependencies: plug + openFeature, swiftSettings: upcomingFeatures)
  ] + shapes,
  swiftLanguageModes: [.v6]
)
