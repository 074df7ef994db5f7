// swift-tools-version: 6.2
import PackageDescription

let upcomingFeatures: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
  .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
]

/// Which functions of the system a product calls that Apple asks reasons for. Linux needs no such bundle.
#if os(Linux)
  let (privacy, unused): ([Resource]?, [String]) = (nil, ["PrivacyInfo.xcprivacy"])
#else
  let (privacy, unused): ([Resource]?, [String]) = ([.process("PrivacyInfo.xcprivacy")], [])
#endif

let package = Package(
  name: "Plug",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Plug", targets: ["Plug"]),
    .library(name: "PlugIsolation", targets: ["PlugIsolation"]),
    .library(name: "PlugKeys", targets: ["PlugKeys"]),
    .library(name: "PlugOperations", targets: ["PlugOperations"]),
    .library(name: "PlugFeatures", targets: ["PlugFeatures"]),
    .library(name: "PlugFlags", targets: ["PlugFlags"]),
    .library(name: "PlugTesting", targets: ["PlugTesting"]),
    .library(name: "PlugFlagsTesting", targets: ["PlugFlagsTesting"]),
    // One Plug for a program and the dynamic libraries that it loads. What uses Plug there depends on nothing else here,
    // because each static product brings the code of Plug along.
    .library(
      name: "PlugDynamic", type: .dynamic,
      targets: ["Plug", "PlugIsolation", "PlugKeys", "PlugOperations", "PlugFeatures", "PlugFlags"]),
  ],
  targets: [
    .target(name: "Plug", swiftSettings: upcomingFeatures + [.strictMemorySafety()]),
    .target(
      name: "PlugIsolation", dependencies: ["Plug"], swiftSettings: upcomingFeatures + [.strictMemorySafety()]),
    .target(name: "PlugKeys", dependencies: ["Plug"], swiftSettings: upcomingFeatures),
    .target(
      name: "PlugOperations", dependencies: ["Plug", "PlugIsolation", "PlugKeys"], swiftSettings: upcomingFeatures),
    .target(
      name: "PlugFeatures", dependencies: ["Plug", "PlugKeys"], exclude: unused, resources: privacy,
      swiftSettings: upcomingFeatures),
    .target(
      name: "PlugFlags", dependencies: ["Plug", "PlugKeys"], exclude: unused, resources: privacy,
      swiftSettings: upcomingFeatures),
    .target(
      name: "PlugTesting", dependencies: ["Plug", "PlugIsolation", "PlugKeys"], swiftSettings: upcomingFeatures),
    .target(
      name: "PlugFlagsTesting", dependencies: ["Plug", "PlugFlags", "PlugTesting"], swiftSettings: upcomingFeatures),
    .executableTarget(
      name: "storefront",
      dependencies: ["Plug", "PlugFeatures", "PlugFlags", "PlugKeys", "PlugOperations"],
      resources: [
        .embedInCode("Resources/shoppers.json"), .embedInCode("Resources/goods.json"),
        .embedInCode("Resources/flags.json"),
      ],
      swiftSettings: upcomingFeatures
    ),
    .target(
      name: "TestSupport", dependencies: ["Plug", "PlugKeys", "PlugOperations"],
      path: "Tests/Stress/Sources/TestSupport", swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugTests", dependencies: ["Plug", "PlugIsolation", "PlugKeys", "PlugOperations", "TestSupport"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugKeysTests", dependencies: ["Plug", "PlugIsolation", "PlugKeys", "PlugOperations", "TestSupport"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugOperationsTests", dependencies: ["Plug", "PlugKeys", "PlugOperations", "TestSupport"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "StressTests",
      dependencies: ["Plug", "PlugFlags", "PlugIsolation", "PlugKeys", "PlugOperations", "PlugTesting", "TestSupport"],
      path: "Tests/Stress/Tests/StressTests", swiftSettings: upcomingFeatures),
    .testTarget(
      name: "GuideTests", dependencies: ["Plug", "PlugIsolation", "PlugKeys", "PlugOperations", "PlugTesting"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugFeaturesTests", dependencies: ["Plug", "PlugFeatures", "PlugKeys", "PlugOperations", "PlugTesting"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugFlagsTests",
      dependencies: [
        "Plug", "PlugFlags", "PlugFlagsTesting", "PlugKeys", "PlugOperations", "PlugTesting", "TestSupport",
      ],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugTestingTests",
      dependencies: ["Plug", "PlugIsolation", "PlugKeys", "PlugOperations", "PlugTesting", "TestSupport"],
      swiftSettings: upcomingFeatures),
    .testTarget(name: "AppTests", dependencies: ["Plug", "PlugKeys", "PlugTesting"]),
    .testTarget(
      name: "StorefrontTests",
      dependencies: [
        "Plug", "PlugFeatures", "PlugFlags", "PlugFlagsTesting", "PlugKeys", "PlugOperations", "PlugTesting",
        "storefront",
      ],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "MainActorAppTests",
      dependencies: ["Plug", "PlugIsolation", "PlugKeys", "PlugTesting"],
      swiftSettings: upcomingFeatures + [.defaultIsolation(MainActor.self)]
    ),
    .testTarget(
      name: "MigrationTests", dependencies: ["Plug", "PlugFeatures", "PlugKeys", "PlugOperations", "PlugTesting"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "MigrationSwift5Tests",
      dependencies: ["Plug"],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
  ],
  swiftLanguageModes: [.v6]
)
