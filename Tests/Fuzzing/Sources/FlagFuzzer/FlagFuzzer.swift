import Foundation
import Plug
import PlugFlags

/// The contexts in which every document is evaluated.
private let contexts: [FlagAttributes] = [
  [:],
  FlagAttributes(targetingKey: "user"),
  [
    "targetingKey": "lou", "country": "DE", "version": "4.2.0", "email": "lou@example.com", "age": 42, "a": ["b": 1],
    "tags": ["new", "vip", 3, .null], "": "empty", "text": "é😀",
  ],
]

/// A value that no document has by chance, in each place from which a targeting can read.
private let secret = "q7Zk"
private let confidential: FlagAttributes = {
  var context: FlagAttributes = [
    "targetingKey": .string(secret), "email": .string("lou\(secret)"), "country": "DE",
    "a": ["b": .string(secret), secret: 1], "tags": [.string(secret), "new", ["vip": .string(secret)]],
  ]
  context.privateAttributes = ["targetingKey", "email", "a", "tags"]
  return context
}()

private let services = Injector()

/// Called by libFuzzer with bytes that it has made: they are a document or not, and a document keeps what
/// PlugFlags promises.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let document = read(bytes) else { return 0 }
  for isIndented in [false, true] {
    check(read(Array(document.json(isIndented: isIndented).utf8)) == document, "a written document is read as another")
  }
  _ = document.findings
  let isSilent = !String(decoding: bytes, as: UTF8.self).contains(secret)
  for key in document.keys {
    let trace = document.explain(key, in: confidential, at: .distantPast).targeting
    check(!isSilent || !"\(trace, default: "")".contains(secret), "an explanation shows a private value")
  }
  services[Flags.self] = document
  for context in contexts {
    for key in document.keys { check(document, key, context) }
  }
  return 0
}

private func read(_ bytes: [UInt8]) -> FlagDocument? {
  do {
    return try FlagDocument(bytes: bytes)
  } catch {
    check(!error.description.isEmpty, "an error says nothing")
    return nil
  }
}

private func check(_ document: FlagDocument, _ key: String, _ context: FlagAttributes) {
  let result = document.evaluate(key, in: context, at: .distantPast)
  let explanation = document.explain(key, in: context, at: .distantPast)
  check("\(explanation.evaluation)" == "\(result)", "an explanation says something else")
  let (boolean, text) = (FlagKey(key, default: true), FlagKey(key, default: "default"))
  check(
    services.flag(boolean, in: context) == document.evaluate(boolean, in: context).value
      && services.flag(text, in: context) == document.evaluate(text, in: context).value,
    "a value alone differs from the value of an evaluation")
}

private func check(_ condition: Bool, _ message: String) {
  if !condition { fatalError(message) }
}
