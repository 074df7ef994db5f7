import NIOCore
import NIOPosix
import Synchronization

/// A server on loopback that answers each request with the same bytes, whether or not they are HTTP.
final class RawHost: Sendable {
  struct Answer: Sendable {
    var bytes: [UInt8]
    /// Whether the connection stays open after the answer.
    var staysOpen = false
  }

  private let current = Mutex(Answer(bytes: []))

  func answer(_ answer: Answer) { current.withLock { $0 = answer } }

  /// Runs the server during a test, which receives its URL.
  func serving(_ test: (String) async throws -> Void) async throws {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Handler(host: self))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    do {
      try await test("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
    } catch {
      try? await channel.close()
      throw error
    }
    try await channel.close()
  }

  /// Answers as soon as the head of a request has arrived. Its body, if there is one, is ignored.
  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let host: RawHost

    init(host: RawHost) { self.host = host }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard String(buffer: unwrapInboundIn(data)).contains("\r\n\r\n") else { return }
      let answer = host.current.withLock(\.self)
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer.bytes)), promise: nil)
      if !answer.staysOpen { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
