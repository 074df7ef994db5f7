import Foundation
import PlugFlags

/// An event of an OFREP server that announces a change, with what the next request hands back.
struct RefetchEvent: Sendable, Hashable {
  var tag: String?
  var lastModified: String?

  init() {}

  /// Reads the data of an event.
  ///
  /// - Returns: `nil` if the event is of another type.
  init?(_ data: String) {
    guard case .object(let members)? = try? JSONDecoder().decode(FlagValue.self, from: Data(data.utf8)),
      members["type"] == "refetchEvaluation"
    else { return nil }
    tag = members["etag"].flatMap(String.read)
    lastModified = members["lastModified"].flatMap { String.read($0) ?? $0.wholeNumber?.description }
  }

  /// The query of the request that the event causes, with its question mark.
  var query: String {
    let items = [("flagConfigEtag", tag), ("flagConfigLastModified", lastModified)].compactMap { name, value in
      value?.addingPercentEncoding(withAllowedCharacters: .alphanumerics).map { "\(name)=\($0)" }
    }
    return items.isEmpty ? "" : "?" + items.joined(separator: "&")
  }
}

extension String {
  /// Whether the text can be sent as the value of a header: it has visible ASCII and spaces only, and is not long.
  var isHeaderValue: Bool { utf8.count <= 1024 && utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

/// Reads the events in a stream of server-sent events (HTML Living Standard, 9.2.6), without `retry`.
struct EventReader {
  /// The greatest number of bytes of an event.
  static let sizeLimit = 1 << 16

  /// The id of the last event, for `Last-Event-ID`.
  private(set) var lastID: String?
  private var line: [UInt8] = []
  private var data: [String] = []
  private var size = 0
  private var followsReturn = false

  init(after lastID: String? = nil) { self.lastID = lastID }

  /// Reads some bytes.
  ///
  /// - Returns: The data of the events that they complete; `nil` if an event is too long.
  mutating func read(_ bytes: some Sequence<UInt8>) -> [String]? {
    var events: [String] = []
    for byte in bytes {
      defer { followsReturn = byte == 0x0D }
      if byte == 0x0A && followsReturn { continue }
      if byte != 0x0A && byte != 0x0D {
        line.append(byte)
        size += 1
        if size > Self.sizeLimit { return nil }
      } else if let event = endLine() {
        events.append(event)
      }
    }
    return events
  }

  private mutating func endLine() -> String? {
    let text = String(decoding: line, as: UTF8.self)
    line = []
    if text.isEmpty {
      defer { (data, size) = ([], 0) }
      return data.isEmpty ? nil : data.joined(separator: "\n")
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = String(parts.count > 1 && parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts.last ?? "")
    switch parts.first {
    case "data": data.append(value)
    // An id that cannot be a header would end all later requests.
    case "id" where value.isHeaderValue: lastID = value
    default: break
    }
    return nil
  }
}
