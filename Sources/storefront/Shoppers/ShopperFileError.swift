import Foundation

/// The reason why a file contains no usable shoppers.
struct ShopperFileError: Error, Equatable {
  let file: String
  let problem: String
}

extension ShopperFileError: CustomStringConvertible {
  /// The file, followed by the problem.
  var description: String { "\(file): \(problem)" }
}

extension ShopperFileError {
  /// Describes why a file cannot be read.
  init(file: String, unreadableBecause error: any Error) {
    let problem =
      switch (error as NSError).posixCode {
      case .ENOENT: "there is no such file"
      case .EISDIR: "this is a directory, not a file"
      case .EACCES: "permission to read the file is denied"
      default: "the file cannot be read"
      }
    self.init(file: file, problem: problem)
  }

  /// Describes which field of which shopper cannot be decoded.
  init(file: String, undecodableBecause error: any Error) {
    self.init(file: file, problem: (error as? DecodingError)?.problem ?? "the file cannot be decoded")
  }
}

extension NSError {
  /// The system's own error that Foundation's error wraps.
  fileprivate var posixCode: POSIXErrorCode? {
    guard let cause = userInfo[NSUnderlyingErrorKey] as? NSError, cause.domain == NSPOSIXErrorDomain else { return nil }
    return POSIXErrorCode(rawValue: Int32(cause.code))
  }
}

extension DecodingError {
  fileprivate var problem: String {
    switch self {
    case .keyNotFound(let key, let context): "\((context.codingPath + [key]).place) is missing"
    case .typeMismatch(let type, let context): "\(context.codingPath.place) must be \(nameInJSON(of: type))"
    case .valueNotFound(let type, let context): "\(context.codingPath.place) must be \(nameInJSON(of: type)), not null"
    case .dataCorrupted(let context) where context.codingPath.isEmpty: "the file is not valid JSON"
    case .dataCorrupted(let context): "\(context.codingPath.place): \(context.debugDescription)"
    @unknown default: "the file cannot be decoded"
    }
  }
}

extension [any CodingKey] {
  /// The position in terms of the file: `shopper 3: "basket.weightInGrams"`.
  fileprivate var place: String {
    guard let index = first?.intValue else { return "the file" }
    let fields = dropFirst().filter { $0.intValue == nil }.map(\.stringValue).joined(separator: ".")
    let shopper = "shopper \(index + 1)"
    return fields.isEmpty ? shopper : "\(shopper): \"\(fields)\"" + item
  }

  /// The element of a list field.
  private var item: String {
    dropFirst().last?.intValue.map { " item \($0 + 1)" } ?? ""
  }
}

private func nameInJSON(of type: any Any.Type) -> String {
  switch type {
  case is String.Type: "a string"
  case is Double.Type: "a number"
  case is [Any].Type: "a list"
  case is [String: Any].Type: "an object"
  default: "of another type"
  }
}
