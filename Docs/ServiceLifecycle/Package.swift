// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ServiceLifecycleExample",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Plug", path: "../.."),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "Server",
      dependencies: [
        .product(name: "Plug", package: "Plug"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
