import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PlugFlags

extension FlagServer {
  /// Sends a request, and returns what it has come to.
  ///
  /// - Parameters:
  ///   - tag: The entity tag of the last document.
  ///   - event: The event that has announced a change.
  func poll(tag: String?, after event: RefetchEvent?) async -> PollingState.Outcome {
    do {
      return try await polling.withTimeout { try await outcome(of: request(tag, event), tag) }
    } catch let error as FlagDocumentError {
      return .failure(error)
    } catch {
      return .failure(problem((error as? HTTPClientError)?.shortDescription ?? "\(error)"))
    }
  }

  private func problem(_ reason: String) -> FlagDocumentError { .unreadable(path: name, reason: reason) }

  private func request(_ tag: String?, _ event: RefetchEvent?) async throws -> HTTPClientRequest {
    var request = HTTPClientRequest(url: url + (event?.query ?? ""))
    for (name, value) in try await polling.headers() { request.headers.replaceOrAdd(name: name, value: value) }
    request.headers.replaceOrAdd(name: "Accept", value: "application/json")
    if let tag { request.headers.replaceOrAdd(name: "If-None-Match", value: tag) }
    if case .evaluation(let context) = exchange {
      request.method = .POST
      request.headers.replaceOrAdd(name: "Content-Type", value: "application/json")
      request.body = .bytes(ByteBuffer(string: FlagValue.object(["context": .object(context.attributes)]).description))
    }
    return request
  }

  private func outcome(of request: HTTPClientRequest, _ tag: String?) async throws -> PollingState.Outcome {
    let response = try await polling.client.execute(request, deadline: .distantFuture)
    let (status, headers) = (response.status, response.headers)
    guard response.history.count <= 1 else { throw problem("the client has followed a redirect to another URL") }
    switch status.code {
    case 200:
      let type = headers.first(name: "Content-Type")
      guard type.map(Self.isJSON) ?? false else { throw problem("the content type is \(type ?? "missing"), not JSON") }
      let body = try await read(response.body)
      let newTag = headers.first(name: "ETag").flatMap { $0.isHeaderValue ? $0 : nil }
      switch exchange {
      case .document(let version):
        return .document(try FlagDocument(body, fractional: version), tag: newTag, streams: [])
      case .evaluation:
        guard let bulk = BulkEvaluation(body) else { throw problem("the answer has no list of flags") }
        return .document(try bulk.document, tag: newTag, streams: bulk.streams(at: url))
      }
    case 304:
      guard tag != nil else { throw problem("\(status), but there is no earlier answer") }
      _ = try await read(response.body)
      return .unchanged
    case 300..<400:
      let target = headers.first(name: "Location").map { " to \(Self.shown($0))" } ?? ""
      throw problem("\(status): redirects\(target) are not followed")
    default:
      return try await failure(status, headers, response.body)
    }
  }

  private func failure(
    _ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ body: HTTPClientResponse.Body
  ) async throws -> PollingState.Outcome {
    guard case .evaluation = exchange else { return .failure(problem("\(status)"), pause: Self.pause(headers)) }
    if status == .unauthorized || status == .forbidden { return .refusal(problem("\(status)")) }
    let error = try? JSONDecoder().decode(EvaluationError.self, from: try await read(body))
    let reason = ["\(status)", error?.errorCode, error?.errorDetails].compactMap(\.self).joined(separator: ": ")
    return .failure(problem(reason), pause: Self.pause(headers))
  }

  private func read(_ body: HTTPClientResponse.Body) async throws -> Data {
    var data = Data()
    for try await part in body {
      guard data.count + part.readableBytes <= polling.sizeLimit else {
        throw problem("the body is longer than \(polling.sizeLimit) bytes")
      }
      data.append(contentsOf: part.readableBytesView)
    }
    // A body whose task is cancelled may end early without an error.
    try Task.checkCancellation()
    return data
  }

  /// Whether a content type is one that servers give JSON documents. Raw files are often plain text.
  private static func isJSON(_ type: String) -> Bool {
    let type = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    return ["application/json", "text/json", "text/plain"].contains(type) || type.hasSuffix("+json")
  }

  /// Reads `Retry-After`: a number of seconds, or a date of HTTP or, for OFREP, of ISO 8601.
  private static func pause(_ headers: HTTPHeaders) -> Duration? {
    guard let text = headers.first(name: "Retry-After") else { return nil }
    if let seconds = UInt32(text) { return .seconds(Int64(seconds)) }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    guard let date = format.date(from: text) ?? (try? Date(text, strategy: .iso8601)) else { return nil }
    return .seconds(date.timeIntervalSinceNow)
  }
}
