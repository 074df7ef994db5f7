/// A service that tests load.
final class LoadedDatabase: Sendable {
  let name: String

  init(_ name: String = "main") {
    self.name = name
  }
}

struct LoadedRepository: Sendable {
  let database: LoadedDatabase
}

struct Left: Sendable {
  init(_: some Sendable) {}
}

struct Right: Sendable {
  init(_: some Sendable) {}
}
