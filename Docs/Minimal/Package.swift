// swift-tools-version: 6.2
import PackageDescription

let plug = Target.Dependency.product(name: "Plug", package: "Plug")

let package = Package(
  name: "Minimal",
  platforms: [.macOS(.v15)],
  // In a package of your own: .package(url: "https://github.com/OWNER/Plug.git", branch: "main")
  dependencies: [.package(name: "Plug", path: "../..")],
  targets: [
    .executableTarget(name: "weather", dependencies: [plug]),
    .testTarget(
      name: "WeatherTests", dependencies: ["weather", plug, .product(name: "PlugTesting", package: "Plug")]),
  ],
  swiftLanguageModes: [.v6]
)
