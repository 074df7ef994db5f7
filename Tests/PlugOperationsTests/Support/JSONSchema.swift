import Foundation
import TestSupport

@testable import Plug

/// A JSON schema, of which as much is understood as the ones in Docs/Schemas need.
struct JSONSchema {
  private let root: RuleTrace.Value

  /// - Parameter name: The name of a file in Docs/Schemas.
  init(named name: String) throws {
    var folder = URL(fileURLWithPath: #filePath)
    var file: URL
    repeat {
      folder.deleteLastPathComponent()
      file = folder.appendingPathComponent("Docs/Schemas/\(name).json")
    } while folder.path != "/" && !FileManager.default.fileExists(atPath: file.path)
    root = try JSONDecoder().decode(RuleTrace.Value.self, from: Data(contentsOf: file))
  }

  /// The paths at which a value violates the schema.
  func problems(of value: some Encodable) throws -> [String] {
    let json = try JSONDecoder().decode(RuleTrace.Value.self, from: JSONEncoder().encode(value))
    return problems(of: json, root, at: "$")
  }

  private func problems(of value: RuleTrace.Value, _ schema: RuleTrace.Value, at path: String) -> [String] {
    if case .string(let reference)? = schema["$ref"] {
      let target = reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] ?? .null }
      return problems(of: value, target, at: path)
    }
    var found: [String] = []
    if case .array(let values)? = schema["enum"], !values.contains(value) { found.append("\(path) is not allowed") }
    if case .string(let type)? = schema["type"], !value.isOf(type) { found.append("\(path) is not of type \(type)") }
    if case .array(let elements) = value, let items = schema["items"] {
      for (index, element) in elements.enumerated() { found += problems(of: element, items, at: "\(path)[\(index)]") }
    }
    guard case .object(let members) = value else { return found }
    if case .array(let required)? = schema["required"] {
      for case .string(let name) in required where members[name] == nil { found.append("\(path).\(name) is missing") }
    }
    for (name, member) in members.sorted(by: { $0.key < $1.key }) {
      if let property = schema["properties"]?[name] {
        found += problems(of: member, property, at: "\(path).\(name)")
      } else if schema["additionalProperties"] == .boolean(false) {
        found.append("\(path).\(name) is not known")
      }
    }
    return found
  }
}

extension RuleTrace.Value {
  fileprivate subscript(name: String) -> Self? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  fileprivate func isOf(_ type: String) -> Bool {
    switch (self, type) {
    case (.object, "object"), (.array, "array"), (.string, "string"), (.number, "number"), (.boolean, "boolean"): true
    case (.number(let number), "integer"): number == number.rounded()
    default: false
    }
  }
}
