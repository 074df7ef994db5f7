// swift-tools-version: 6.2
import PackageDescription

let upcomingFeatures: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
  .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
]

func plug(_ products: String...) -> [Target.Dependency] {
  products.map { .product(name: $0, package: "Plug") }
}

let all = plug("Plug", "PlugFlags", "PlugIsolation", "PlugKeys", "PlugOperations", "PlugTesting")

// TestSupport and StressTests are targets of Plug's own manifest as well: `swift test` runs each race for a few rounds.
let package = Package(
  name: "Stress",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Plug", path: "../..")],
  targets: [
    .target(
      name: "TestSupport", dependencies: plug("Plug", "PlugKeys", "PlugOperations"), swiftSettings: upcomingFeatures),
    .executableTarget(name: "stress", dependencies: all + ["TestSupport"], swiftSettings: upcomingFeatures),
    // What uses declarations that only Plug's own package sees runs in `swift test` alone.
    .testTarget(
      name: "StressTests", dependencies: all + ["TestSupport"], exclude: ["Grid", "Kernel/CopyingRaceTests.swift"],
      swiftSettings: upcomingFeatures),
  ],
  swiftLanguageModes: [.v6]
)
