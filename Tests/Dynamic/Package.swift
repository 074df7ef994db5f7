// swift-tools-version: 6.2
import PackageDescription

// A program, and a dynamic library that it loads while it runs. Both use the Plug of PlugDynamic.
let plug = Target.Dependency.product(name: "PlugDynamic", package: "Plug")

let package = Package(
  name: "Dynamic",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Greetings", type: .dynamic, targets: ["Greetings"])],
  dependencies: [.package(name: "Plug", path: "../..")],
  targets: [
    .executableTarget(name: "Host", dependencies: [plug]),
    .target(name: "Greetings", dependencies: [plug]),
  ],
  swiftLanguageModes: [.v6]
)
