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

private func makeInjector(of types: [any Numbered.Type]) -> Injector {
  let injector = Injector()
  demand {
    for (number, type) in types.enumerated() {
      let targets = targets(of: number, of: types.count)
      if targets.isEmpty {
        try register(type, in: injector)
      } else {
        try register(type, types[targets[0]], types[targets[1]], types[targets[2]], in: injector)
      }
    }
  }
  return injector
}

private func makeTable(of types: [any Numbered.Type]) -> [ObjectIdentifier: [ObjectIdentifier]] {
  var table: [ObjectIdentifier: [ObjectIdentifier]] = [:]
  for (number, type) in types.enumerated() {
    table[ObjectIdentifier(type)] = targets(of: number, of: types.count).map { ObjectIdentifier(types[$0]) }
  }
  return table
}

/// Checking a large graph.
func validating() {
  func types() -> [any Numbered.Type] { Array(NumberedTypes.all.prefix(5000)) }
  compare(
    "validate 5000 wired services against a walk of their edges", limit: 50,
    Work(1, on: makeInjector(of: types())) { injector, _ in blackHole(try injector.validate()) },
    with: Work(1, on: makeTable(of: types())) { table, _ in blackHole(walk(table)) })
}
