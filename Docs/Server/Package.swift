// swift-tools-version: 6.2
import PackageDescription

let upcomingFeatures: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
]

let plug = Target.Dependency.product(name: "Plug", package: "Plug")
let plugFeatures = Target.Dependency.product(name: "PlugFeatures", package: "Plug")
let plugFlags = Target.Dependency.product(name: "PlugFlags", package: "Plug")
let plugKeys = Target.Dependency.product(name: "PlugKeys", package: "Plug")
let plugOperations = Target.Dependency.product(name: "PlugOperations", package: "Plug")
let plugConfiguration = Target.Dependency.product(name: "PlugConfiguration", package: "PlugIntegrations")
let plugFlagsHTTP = Target.Dependency.product(name: "PlugFlagsHTTP", package: "PlugIntegrations")
let plugHummingbird = Target.Dependency.product(name: "PlugHummingbird", package: "PlugIntegrations")
let plugLogging = Target.Dependency.product(name: "PlugLogging", package: "PlugIntegrations")
let plugOpenTelemetry = Target.Dependency.product(name: "PlugOpenTelemetry", package: "PlugIntegrations")
let plugServiceLifecycle = Target.Dependency.product(name: "PlugServiceLifecycle", package: "PlugIntegrations")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nio = ["NIOCore", "NIOPosix"].map { Target.Dependency.product(name: $0, package: "swift-nio") }
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

let package = Package(
  name: "Server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Plug", path: "../.."),
    .package(name: "PlugIntegrations", path: "../Integrations"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.8.0"),
    .package(
      url: "https://github.com/apple/swift-configuration", from: "1.0.2", traits: [.defaults, "Reloading"]),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
  ],
  targets: [
    // The shop itself, which uses neither HTTP nor an injector.
    .target(name: "Shop", dependencies: [plugKeys, grdb, logging], swiftSettings: upcomingFeatures),
    // The code that both servers share: headers, bodies, responses to errors.
    .target(
      name: "Web", dependencies: ["Shop", plug, plugKeys, hummingbird, httpTypes, logging, metrics],
      swiftSettings: upcomingFeatures),
    .target(
      name: "OrderServer",
      dependencies: [
        "Shop", "Web", plug, plugConfiguration, plugFeatures, plugFlags, plugFlagsHTTP, plugHummingbird, plugKeys,
        plugLogging, plugOperations, plugServiceLifecycle, configuration, grdb, hummingbird, httpTypes, logging,
        metrics,
        lifecycle,
      ],
      // Embedded in the executable, which then needs no file beside it.
      resources: [.embedInCode("Resources/report.html")],
      swiftSettings: upcomingFeatures),
    .executableTarget(
      name: "Server", dependencies: ["OrderServer", configuration, logging, plug, lifecycle],
      swiftSettings: upcomingFeatures),
    // A server without an injector, for comparison.
    .executableTarget(
      name: "HandWired",
      dependencies: [
        "Shop", "Web", plug, plugHummingbird, plugKeys, plugServiceLifecycle, grdb, hummingbird, httpTypes, logging,
        lifecycle,
      ],
      swiftSettings: upcomingFeatures),
    // A minimal server.
    .executableTarget(
      name: "MinimalServer",
      dependencies: [plug, plugHummingbird, plugServiceLifecycle, hummingbird, hummingbirdCore],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "MinimalServerTests",
      dependencies: [
        "MinimalServer", plug, hummingbird, httpTypes, .product(name: "PlugTesting", package: "Plug"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      swiftSettings: upcomingFeatures),
    .testTarget(
      name: "OrderServerTests",
      dependencies: [
        "OrderServer", "Server", plug, plugFeatures, plugFlags, plugHummingbird, plugKeys, plugOperations,
        plugServiceLifecycle, configuration, grdb, hummingbird, httpTypes, logging, lifecycle,
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ],
      swiftSettings: upcomingFeatures),
    // The tests of ../Integrations are here, so that hummingbird is built once for both packages.
    .testTarget(
      name: "IntegrationsTests",
      dependencies: nio + [
        plug, plugConfiguration, plugFlags, plugFlagsHTTP, plugHummingbird, plugKeys, plugLogging, plugOpenTelemetry,
        plugOperations, plugServiceLifecycle, configuration, hummingbird, httpTypes, logging, lifecycle,
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "InMemoryLogging", package: "swift-log"),
      ],
      swiftSettings: upcomingFeatures),
  ],
  swiftLanguageModes: [.v6]
)
