import Benchmark
import Plug

/// Registers a service that needs three others.
private func register<Service: Numbered, A: Numbered, B: Numbered, C: Numbered>(
  _: Service.Type, _: A.Type, _: B.Type, _: C.Type, in injector: Injector
) throws {
  try injector.register(injectable: .lazySingleton(wiring: { (_: A, _: B, _: C) in Service() }))
}

/// The numbers of the three services that one needs; the last ones need none.
private func targets(of number: Int, of count: Int) -> [Int] {
  number + 3 < count ? [number + 1, number + 2, min(number + 17, count - 1)] : []
}

/// Visits everything that can be reached, with a table at hand of what each type needs.
@inline(never)
private func walk(_ edges: [ObjectIdentifier: [ObjectIdentifier]]) -> Int {
  var visited: Set<ObjectIdentifier> = []
  for start in edges.keys {
    var stack = [start]
    while let type = stack.popLast() {
      if visited.insert(type).inserted { stack += edges[type] ?? [] }
    }
  }
  return visited.count
}

/// Checking a large graph.
func validating() {
  let count = 5000
  let types = Array(NumberedTypes.all.prefix(count))
  let edges = types.indices.map { targets(of: $0, of: count) }
  let injector = Injector()
  demand {
    for (type, targets) in zip(types, edges) {
      if targets.isEmpty {
        try register(type, in: injector)
      } else {
        try register(type, types[targets[0]], types[targets[1]], types[targets[2]], in: injector)
      }
    }
  }
  let table = Dictionary(
    uniqueKeysWithValues: zip(types, edges).map { type, targets in
      (ObjectIdentifier(type), targets.map { ObjectIdentifier(types[$0]) })
    })
  compare(
    "validate 5000 wired services against a walk of their edges", limit: 50,
    Work(1) { _ in blackHole(try injector.validate()) },
    with: Work(1) { _ in blackHole(walk(table)) })
}
