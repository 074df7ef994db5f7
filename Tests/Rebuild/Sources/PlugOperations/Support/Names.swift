import Plug

extension Key {
  /// The name that texts show: that of the type without its module, and the tag.
  var shownName: String { serviceName(type, tag: tag) }

  /// The name that tells it from services of other modules.
  var fullName: String { serviceName(String(reflecting: type), tag: tag?.rawValue) }

  /// Whether a name means this service.
  func isCalled(_ name: String) -> Bool { name == shownName || name == fullName }
}

/// The names of services, with their modules where that is needed to tell them apart.
struct ServiceNames {
  private let ambiguous: Set<String>

  init(_ keys: some Sequence<Key>) {
    let groups = Dictionary(grouping: Set(keys), by: \.shownName)
    ambiguous = Set(groups.filter { $1.count > 1 }.keys)
  }

  subscript(key: Key) -> String {
    let name = key.shownName
    return ambiguous.contains(name) ? key.fullName : name
  }

  /// The name of the type, and the tag.
  func parts(of key: Key) -> (service: String, tag: String?) {
    let parts = nameParts(key.type, tag: key.tag?.rawValue)
    return ambiguous.contains(key.shownName) ? (String(reflecting: key.type), key.tag?.rawValue) : parts
  }
}

extension Injector {
  /// What is registered here and in the injectors around this one, as a request finds it.
  var visibleCells: [Cell] {
    var seen: Set<Key> = []
    let keys = levels.flatMap(\.cells).map(\.registration.key).filter { seen.insert($0).inserted }
    return keys.compactMap { (try? find($0)) ?? nil }
  }
}
