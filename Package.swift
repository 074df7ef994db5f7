// swift-tools-version: 6.2
import PackageDescription

let upcomingFeatures: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
  .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
]

let package = Package(
  name: "Plug",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Plug", targets: ["Plug"]),
    .library(name: "PlugFeatures", targets: ["PlugFeatures"]),
    .library(name: "PlugFlags", targets: ["PlugFlags"]),
    .library(name: "PlugTesting", targets: ["PlugTesting"]),
  ],
  targets: [
    .target(name: "Plug", swiftSettings: upcomingFeatures + [.strictMemorySafety()]),
    .target(name: "PlugFeatures", dependencies: ["Plug"], swiftSettings: upcomingFeatures),
    .target(name: "PlugFlags", dependencies: ["Plug"], swiftSettings: upcomingFeatures),
    .target(name: "PlugTesting", dependencies: ["Plug", "PlugFlags"], swiftSettings: upcomingFeatures),
    .executableTarget(
      name: "storefront",
      dependencies: ["Plug", "PlugFeatures", "PlugFlags"],
      resources: [
        .embedInCode("Resources/shoppers.json"), .embedInCode("Resources/goods.json"),
        .embedInCode("Resources/flags.json"),
      ],
      swiftSettings: upcomingFeatures
    ),
    .target(
      name: "TestSupport", dependencies: ["Plug"], path: "Tests/Stress/Sources/TestSupport",
      swiftSettings: upcomingFeatures),
    .testTarget(name: "PlugTests", dependencies: ["Plug", "TestSupport"], swiftSettings: upcomingFeatures),
    .testTarget(
      name: "StressTests", dependencies: ["Plug", "PlugFlags", "PlugTesting", "TestSupport"],
      path: "Tests/Stress/Tests/StressTests", swiftSettings: upcomingFeatures),
    .testTarget(name: "GuideTests", dependencies: ["Plug", "PlugTesting"], swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugFeaturesTests", dependencies: ["Plug", "PlugFeatures", "PlugTesting"], swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugFlagsTests", dependencies: ["Plug", "PlugFlags", "PlugTesting", "TestSupport"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugTestingTests", dependencies: ["Plug", "PlugFlags", "PlugTesting"], swiftSettings: upcomingFeatures),
    .testTarget(name: "AppTests", dependencies: ["Plug", "PlugTesting"]),
    .testTarget(
      name: "StorefrontTests", dependencies: ["Plug", "PlugFeatures", "PlugFlags", "PlugTesting", "storefront"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "MainActorAppTests",
      dependencies: ["Plug", "PlugTesting"],
      swiftSettings: upcomingFeatures + [.defaultIsolation(MainActor.self)]
    ),
    .testTarget(
      name: "MigrationTests", dependencies: ["Plug", "PlugFeatures", "PlugTesting"], swiftSettings: upcomingFeatures),
    .testTarget(
      name: "MigrationSwift5Tests",
      dependencies: ["Plug"],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
  ],
  swiftLanguageModes: [.v6]
)
