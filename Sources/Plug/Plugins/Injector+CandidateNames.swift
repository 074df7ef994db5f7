extension Injector {
  /// The candidates that an id means at a point, or at a service by its name, here or in the nearest injector around
  /// this one that has any.
  package func candidates(_ id: String, at point: String) -> (level: Injector, keys: [Key])? {
    for level in levels {
      let keys = level.cells.filter { $0.paths.contains { $0.candidate == id && $0.points.contains(point) } }
        .map(\.registration.key)
      if !keys.isEmpty { return (level, keys) }
    }
    return nil
  }

  /// The error for a candidate that is not there, with the nearest one.
  package func missingCandidate(_ id: String, at point: String) -> InjectorError {
    var facts = InjectorError.Facts(candidate: id, at: point, in: self)
    let candidates = levels.flatMap(\.cells).flatMap { cell in
      cell.paths.flatMap { path in
        path.points.map { point in
          InjectorError.Suggestion(
            name: "\(path.candidate) at \(point)", registeredAt: path.location)
        }
      }
    }
    facts.values.nearestName = NearestName(.nearest(to: "\(id) at \(point)", among: candidates))
    return .notRegistered(facts)
  }
}

extension InjectorError.Facts {
  /// Collects the facts about a candidate of a point when its service is unknown.
  package init(candidate: String, at point: String, in injector: Injector) {
    self.init(.named(candidate, .candidate), in: .inner(names: injector.names))
    values.point = point
  }
}

extension Cell {
  /// The candidates with the ids of the points around each, the name of the service last. A registration without a
  /// rule is a candidate too.
  fileprivate var paths: [(candidate: String, points: [String], location: CodeLocation)] {
    let name = typeName(registration.key.type)
    var paths: [(candidate: String, points: [String], location: CodeLocation)] = []
    for case .candidate(let entry) in selector?.elements ?? [] {
      var (points, point) = ([String](), entry.point)
      while let around = point {
        points.append(around.id)
        point = around.outer
      }
      paths.append((entry.id, points + [name], entry.cell.registration.location))
    }
    if let plain { paths.append((Fallback.id, [name], plain.registration.location)) }
    return paths
  }
}
