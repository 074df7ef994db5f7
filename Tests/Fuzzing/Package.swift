// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Plug", path: "../..")],
  targets: [
    .executableTarget(
      name: "FlagFuzzer", dependencies: [.product(name: "PlugFlags", package: "Plug")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ],
  swiftLanguageModes: [.v6]
)
