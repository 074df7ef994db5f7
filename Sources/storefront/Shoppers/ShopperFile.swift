import Foundation

/// A JSON file with a list of shoppers.
struct ShopperFile {
  /// The name in error messages.
  let name: String

  let contents: Data

  /// The built-in shoppers.
  static var embedded: Self {
    Self(name: "shoppers.json", contents: Data(PackageResources.shoppers_json))
  }

  /// Reads the file, or pipe, at a path.
  static func read(_ path: String) throws(ShopperFileError) -> Data {
    do {
      return try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).readToEnd() ?? Data()
    } catch {
      throw ShopperFileError(file: path, unreadableBecause: error)
    }
  }

  /// The shopper with an id.
  func shopper(id: String) throws(ShopperFileError) -> Shopper {
    let shoppers = try shoppers()
    guard let shopper = shoppers.first(where: { $0.id == id }) else {
      let known = shoppers.map(\.id).joined(separator: ", ")
      throw ShopperFileError(file: name, problem: "no shopper is called \"\(id)\"; there are \(known)")
    }
    return shopper
  }

  /// All shoppers, in the order of the file. There is at least one.
  func shoppers() throws(ShopperFileError) -> [Shopper] {
    if contents.isEmpty { throw ShopperFileError(file: name, problem: "the file is empty") }
    let shoppers = try decoded()
    if shoppers.isEmpty { throw ShopperFileError(file: name, problem: "the list has no shoppers") }
    try checkUniqueness(of: shoppers)
    return shoppers
  }

  private func decoded() throws(ShopperFileError) -> [Shopper] {
    do {
      return try JSONDecoder().decode([Shopper].self, from: contents)
    } catch {
      throw ShopperFileError(file: name, undecodableBecause: error)
    }
  }

  private func checkUniqueness(of shoppers: [Shopper]) throws(ShopperFileError) {
    var numbers: [String: Int] = [:]
    for (number, shopper) in zip(1..., shoppers) {
      if let first = numbers.updateValue(number, forKey: shopper.id) {
        throw ShopperFileError(
          file: name, problem: "shopper \(number): \"id\": shopper \(first) is called \"\(shopper.id)\" already")
      }
    }
  }
}
