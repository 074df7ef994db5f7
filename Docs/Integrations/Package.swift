// swift-tools-version: 6.2
import PackageDescription

let upcomingFeatures: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
]

// Replace OWNER where this folder is published as a package of its own: see README.md.
let plugPackage: Package.Dependency =
  Context.packageDirectory.hasSuffix("/Docs/Integrations")
  ? .package(name: "Plug", path: "../..")
  : .package(url: "https://github.com/OWNER/Plug.git", branch: "main")

let plug = Target.Dependency.product(name: "Plug", package: "Plug")
let plugFlags = Target.Dependency.product(name: "PlugFlags", package: "Plug")
let plugKeys = Target.Dependency.product(name: "PlugKeys", package: "Plug")
let plugOperations = Target.Dependency.product(name: "PlugOperations", package: "Plug")
let hummingbird = ["Hummingbird", "HummingbirdCore"].map { Target.Dependency.product(name: $0, package: "hummingbird") }
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let nio = ["NIOCore", "NIOHTTP1"].map { Target.Dependency.product(name: $0, package: "swift-nio") }
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

// The tests are in Docs/Server/Tests/IntegrationsTests, so that hummingbird is built once for both packages.
let package = Package(
  name: "PlugIntegrations",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "PlugServiceLifecycle", targets: ["PlugServiceLifecycle"]),
    .library(name: "PlugHummingbird", targets: ["PlugHummingbird"]),
    .library(name: "PlugConfiguration", targets: ["PlugConfiguration"]),
    .library(name: "PlugFlagsHTTP", targets: ["PlugFlagsHTTP"]),
    .library(name: "PlugLogging", targets: ["PlugLogging"]),
    .library(name: "PlugOpenTelemetry", targets: ["PlugOpenTelemetry"]),
  ],
  dependencies: [
    plugPackage,
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.0.2"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.20.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
  ],
  targets: [
    .target(
      name: "PlugServiceLifecycle", dependencies: [plug, plugKeys, lifecycle, logging, signals],
      swiftSettings: upcomingFeatures),
    .target(
      name: "PlugHummingbird", dependencies: hummingbird + ["PlugServiceLifecycle", plug, logging],
      swiftSettings: upcomingFeatures),
    .target(
      name: "PlugConfiguration", dependencies: [plug, plugFlags, plugKeys, configuration],
      swiftSettings: upcomingFeatures),
    .target(
      name: "PlugFlagsHTTP", dependencies: nio + [plugFlags, httpClient], swiftSettings: upcomingFeatures),
    .target(name: "PlugLogging", dependencies: [plug, plugOperations, logging], swiftSettings: upcomingFeatures),
    .target(
      name: "PlugOpenTelemetry", dependencies: [plug, plugFlags, plugOperations, logging],
      swiftSettings: upcomingFeatures),
  ],
  swiftLanguageModes: [.v6]
)
