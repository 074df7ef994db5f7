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

/// Lets the linker leave out what a program does not use. Linkers of other platforms do that without being told.
let leaveOutUnused = SwiftSetting.unsafeFlags(
  ["-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link"],
  .when(platforms: [.linux], configuration: .release))
let library = upcomingFeatures + [leaveOutUnused]

let package = Package(
  name: "Rebuild",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Plug", targets: ["Plug"]), .library(name: "PlugKeys", targets: ["PlugKeys"]),
    .library(name: "PlugFeatures", targets: ["PlugFeatures"]),
  ],
  targets: [
    .target(name: "Plug", swiftSettings: library + [.strictMemorySafety()]),
    .target(name: "PlugKeys", dependencies: ["Plug"], swiftSettings: library),
    .target(name: "PlugOperations", dependencies: ["Plug"], swiftSettings: library),
    .target(name: "PlugFeatures", dependencies: ["Plug", "PlugKeys"], swiftSettings: library),
    .target(name: "PlugFlags", dependencies: ["Plug", "PlugKeys"], swiftSettings: library),
    .target(name: "PlugTesting", dependencies: ["Plug", "PlugKeys"], swiftSettings: library),
    .target(
      name: "PlugFlagsTesting", dependencies: ["Plug", "PlugFlags", "PlugTesting"], swiftSettings: library),
    .target(name: "TestSupport", dependencies: ["Plug", "PlugKeys"], swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugTests", dependencies: ["Plug", "PlugKeys", "PlugOperations", "TestSupport"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugOperationsTests", dependencies: ["Plug", "PlugKeys", "PlugOperations", "TestSupport"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugTestingTests", dependencies: ["Plug", "PlugKeys", "PlugTesting", "TestSupport"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugFeaturesTests", dependencies: ["Plug", "PlugFeatures", "PlugKeys"], swiftSettings: upcomingFeatures),
    .testTarget(
      name: "MigrationTests", dependencies: ["Plug", "PlugFeatures", "PlugKeys", "PlugTesting"],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "PlugFlagsTests",
      dependencies: [
        "Plug", "PlugFlags", "PlugFlagsTesting", "PlugKeys", "PlugOperations", "PlugTesting", "TestSupport",
      ],
      swiftSettings: upcomingFeatures),
    .testTarget(name: "GuideTests", dependencies: ["Plug", "PlugTesting"], swiftSettings: upcomingFeatures),
    .testTarget(name: "AppTests", dependencies: ["Plug", "PlugTesting"]),
    .testTarget(
      name: "MainActorAppTests", dependencies: ["Plug", "PlugKeys", "PlugTesting"],
      swiftSettings: upcomingFeatures + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "StressTests", dependencies: ["Plug", "PlugKeys", "TestSupport"], swiftSettings: upcomingFeatures),
  ],
  swiftLanguageModes: [.v6]
)
