// swift-tools-version: 6.2
import PackageDescription

let plug: [Target.Dependency] = ["Plug", "PlugFlags", "PlugKeys", "PlugOperations", "PlugTesting"].map {
  .product(name: $0, package: "Plug")
}

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Plug", path: "../.."),
    .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "PlugBenchmarks",
      dependencies: plug + [.product(name: "Benchmark", package: "benchmark")],
      path: "Benchmarks/PlugBenchmarks"
    ),
    .executableTarget(
      name: "Report",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]
    ),
    .target(name: "AllocationCounter"),
    .executableTarget(name: "Allocations", dependencies: plug + ["AllocationCounter"]),
  ],
  swiftLanguageModes: [.v6]
)
