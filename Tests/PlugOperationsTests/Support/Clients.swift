import Plug

/// A service with the short name `Client`, which ``Web`` has too.
enum Mail {
  protocol Client: Sendable {}
  struct Old: Client {}
  struct New: Client {}

  static func point<Context>(_ id: String, for context: Context.Type) -> PluginPoint<any Client, Context> {
    PluginPoint(id, fileID: "Shop/Mail.swift", line: 1) {
      Candidate("new", .factory { New() })
      Candidate("old", .factory { Old() })
    }
  }
}

/// Another service with the short name `Client`.
enum Web {
  protocol Client: Sendable {}
  struct Old: Client {}
  struct New: Client {}

  static func point<Context>(_ id: String, for context: Context.Type) -> PluginPoint<any Client, Context> {
    PluginPoint(id, fileID: "Shop/Web.swift", line: 2) {
      Candidate("new", .factory { New() })
      Candidate("old", .factory { Old() })
    }
  }
}
