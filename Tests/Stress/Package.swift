// swift-tools-version: 6.2
import PackageDescription

let upcomingFeatures: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
  .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
]

let plug: [Target.Dependency] = ["Plug", "PlugFlags", "PlugTesting"].map { .product(name: $0, package: "Plug") }

// TestSupport and StressTests are targets of Plug's own manifest as well: `swift test` runs each race for a few rounds.
let package = Package(
  name: "Stress",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Plug", path: "../..")],
  targets: [
    .target(name: "TestSupport", dependencies: ["Plug"], swiftSettings: upcomingFeatures),
    .executableTarget(name: "stress", dependencies: plug + ["TestSupport"], swiftSettings: upcomingFeatures),
    .testTarget(name: "StressTests", dependencies: plug + ["TestSupport"], swiftSettings: upcomingFeatures),
  ],
  swiftLanguageModes: [.v6]
)
