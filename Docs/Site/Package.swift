// swift-tools-version: 6.2
import PackageDescription

let products = [
  "Plug", "PlugFeatures", "PlugFlags", "PlugFlagsTesting", "PlugIsolation", "PlugKeys", "PlugOperations", "PlugTesting",
]

// Builds the documentation of each product, so that Plug's own manifest needs no plug-in: Docs/Site/build
let package = Package(
  name: "Plug documentation",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Plug", path: "../.."),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
  ],
  targets: [.target(name: "Site", dependencies: products.map { .product(name: $0, package: "Plug") }, path: "Sources")]
)
