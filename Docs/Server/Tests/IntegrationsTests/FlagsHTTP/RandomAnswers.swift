import Foundation

/// Answers that are more or less HTTP, from a seed.
struct RandomAnswers {
  private var state: UInt64
  /// The URL of the server, for event streams.
  private let url: String

  init(seed: UInt64, url: String) { (state, self.url) = (seed, url) }

  mutating func next() -> RawHost.Answer {
    var body = body()
    var head = one(of: ["HTTP/1.1 \(status())", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.0 200 OK", "ICY 200"])
    if chance(8) { head = text(40) }
    var headers = ["Content-Type: \(type())", "ETag: \(chance(2) ? "\"\(number(9))\"" : text(60))"]
    if chance(3) { headers.append("Retry-After: \(pause())") }
    if chance(6) { headers.append("Location: \(one(of: [url, "http://other.example/", "", text(20)]))") }
    if chance(8) { headers.append("Content-Encoding: \(one(of: ["gzip", "deflate", "br"]))") }
    if chance(8) { headers.append(text(80)) }
    if chance(30) { headers.append("X-Long: " + String(repeating: "x", count: 100_000)) }
    switch number(6) {
    case 0:
      headers.append("Transfer-Encoding: chunked")
      body = Array(String(body.count, radix: 16).utf8) + [13, 10] + body + Array("\r\n0\r\n\r\n".utf8)
    case 1: headers.append("Content-Length: \(one(of: ["-1", "0", "99999999999999999999", "5", text(4)]))")
    case 2: break
    default: headers.append("Content-Length: \(body.count)")
    }
    headers.shuffle(using: &self)
    var bytes = Array(([head] + headers).joined(separator: "\r\n").utf8) + [13, 10, 13, 10] + body
    if chance(6) { bytes.removeLast(number(bytes.count)) }
    if chance(6) { for _ in 0...number(8) { bytes[number(bytes.count)] = UInt8(number(256)) } }
    if chance(10) { bytes += bytes }
    return RawHost.Answer(bytes: bytes, staysOpen: chance(6))
  }

  private mutating func status() -> String {
    let codes = [100, 101, 103, 200, 204, 206, 301, 302, 304, 307, 400, 404, 418, 429, 500, 503, 0, 999, 1000, -1]
    return "\(one(of: codes)) \(text(10))"
  }

  private mutating func type() -> String {
    one(of: ["application/json", "application/json", "text/event-stream", "application/x+json; a", text(20), ""])
  }

  private mutating func pause() -> String {
    one(of: [
      "0", "1", "120", "-5", "4294967296", "1e9", "Fri, 01 Jan 2100 00:00:00 GMT", "2100-01-01T00:00:00Z",
      "Fri, 01 Jan 999999999 00:00:00 GMT", text(12),
    ])
  }

  private mutating func body() -> [UInt8] {
    switch number(8) {
    case 0: Array(text(200).utf8)
    case 1: Array(repeating: UInt8(ascii: "["), count: 20_000)
    case 2: mutated(String.numbers(number(100)))
    case 3:
      Array(
        "data: {\"type\": \"refetchEvaluation\", \"etag\": \"\(text(20))\"}\n\n: \(text(50))\nid: \(text(9))\n\n".utf8)
    case 4: mutated(evaluations)
    case 5: Array(evaluations.utf8)
    default: Array(String.numbers(number(100)).utf8)
    }
  }

  private var evaluations: String {
    """
    {"flags": [{"key": "a", "value": 1, "reason": "STATIC"}, {"key": "b", "value": [[1e308]], "reason": "SPLIT"},
      {"key": "c", "errorCode": "GENERAL"}, {"key": "d", "value": {"if": 1}, "variant": "", "reason": {"var": ""}}],
     "metadata": {"version": null},
     "eventStreams": [{"type": "sse", "url": "\(url)/a"}, {"type": "sse", "endpoint": {"requestUri": "/b"}}]}
    """
  }

  private mutating func mutated(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0...number(4) { bytes[number(bytes.count)] = UInt8(number(256)) }
    if chance(3) { bytes.removeLast(number(bytes.count)) }
    return bytes
  }

  /// Up to a number of characters, most of them ASCII.
  private mutating func text(_ limit: Int) -> String {
    String(
      String.UnicodeScalarView((0...number(limit)).map { _ in Unicode.Scalar(UInt8(number(chance(9) ? 256 : 128))) }))
  }

  private mutating func one<Element>(of elements: [Element]) -> Element { elements[number(elements.count)] }
  private mutating func chance(_ count: Int) -> Bool { number(count) == 0 }
  private mutating func number(_ bound: Int) -> Int { bound < 1 ? 0 : Int(next() % UInt64(bound)) }
}

extension RandomAnswers: RandomNumberGenerator {
  /// The next number of SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
