import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct PageTests {
  private static let folder = ProcessInfo.processInfo.environment["PAGE_DOCUMENTS"].map { URL(filePath: $0) }

  @Test func `The page needs no token, and is the file as it is`() async throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/OrderServer/Resources/report.html")
    let page = try String(contentsOf: file, encoding: .utf8)
    try await TestShop().serving { client async throws in
      #expect(try await client.get("/report.html") == Answer(200, page))
    }
  }

  @Test(.enabled(if: folder != nil)) func `What a browser shows is written for Docs/Server/check-page`() async throws {
    let folder = try #require(Self.folder)
    for (name, document) in try await PageDocuments.all() {
      try JSONEncoder().encode(document).write(to: folder.appending(path: "\(name).json"))
    }
  }
}
