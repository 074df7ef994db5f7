// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Soak",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Plug", path: "../..")],
  targets: [.executableTarget(name: "soak", dependencies: ["Plug", .product(name: "PlugTesting", package: "Plug")])],
  swiftLanguageModes: [.v6]
)
