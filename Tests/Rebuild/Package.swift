// swift-tools-version: 6.2
import PackageDescription

// The core anew, until it is whole and takes the place of Sources/Plug. Its tests are those of the project, area by
// area.

let upcomingFeatures: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
  .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
]

let package = Package(
  name: "Rebuild",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Plug", targets: ["Plug"]), .library(name: "PlugKeys", targets: ["PlugKeys"]),
    .library(name: "PlugFeatures", targets: ["PlugFeatures"]),
  ],
  targets: [
    .target(name: "Plug", swiftSettings: upcomingFeatures + [.strictMemorySafety()]),
    .target(name: "PlugKeys", dependencies: ["Plug"], swiftSettings: upcomingFeatures),
    .target(name: "PlugFeatures", dependencies: ["Plug", "PlugKeys"], swiftSettings: upcomingFeatures),
    .target(name: "PlugTesting", dependencies: ["Plug", "PlugKeys"], swiftSettings: upcomingFeatures),
    .target(name: "TestSupport", dependencies: ["Plug", "PlugKeys"], swiftSettings: upcomingFeatures),
    .testTarget(name: "PlugTests", dependencies: ["Plug", "PlugKeys", "TestSupport"], swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugTestingTests", dependencies: ["Plug", "PlugTesting", "TestSupport"], swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugFeaturesTests", dependencies: ["Plug", "PlugFeatures", "PlugKeys"], swiftSettings: upcomingFeatures),
    .testTarget(
      name: "MigrationTests", dependencies: ["Plug", "PlugFeatures", "PlugKeys", "PlugTesting"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "MainActorAppTests", dependencies: ["Plug", "PlugKeys", "PlugTesting"],
      swiftSettings: upcomingFeatures + [.defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)
