public import Plug

/// The error for registries that have no assignment.
///
/// ``Registries/checkAssigned(_:)`` throws it. `description` lists the registries and a fix.
public struct UnassignedRegistries: Error, Sendable, Hashable {
  /// The names of the registries without an assignment.
  public let names: [String]

  /// The number of checked registries.
  public let count: Int

  /// The names of all registries that have vended a mock so far.
  public let vendedMocks: [String]
}

/// A report of a refused assignment to a registry that already has one.
///
/// ``Registries/onRefusal`` receives it.
public struct RegistryRefusal: Error, Sendable, Hashable {
  /// The name of the registry.
  public let registry: String

  /// The location of the refused assignment.
  public let refusedAt: CodeLocation

  /// The location of the effective assignment; `nil` if it is unknown.
  public let assignedAt: CodeLocation?
}

/// The diagnostic for a registry that vends a mock where mocks are forbidden.
struct RegistryMock {
  let registry: String
}

extension UnassignedRegistries: CustomStringConvertible {
  /// The headline, the facts and a fix, in several lines.
  public var description: String {
    var text = "\(names.count) of \(count) registries are not assigned: \(names.joined(separator: ", "))."
    if !vendedMocks.isEmpty { text += "\n  vended mocks:   \(vendedMocks.joined(separator: ", "))" }
    return text + """

      To fix this:
        - Assign each one at launch, before anything uses it: \(names.first ?? "").assignDesiredImplementation(to: …).
      """
  }
}

extension RegistryRefusal: CustomStringConvertible {
  /// The headline, the facts and a fix, in several lines.
  public var description: String {
    """
    \(registry).assignDesiredImplementation(to:) at \(refusedAt) was refused: only the first assignment counts.
      registry:       \(registry)
      assigned at:    \(assignedAt?.description ?? "(unknown)")
    To fix this:
      - Assign it once, at launch. In a test, isolate the test instead: @Test(.isolated).
    """
  }
}

extension RegistryMock: CustomStringConvertible {
  var description: String {
    """
    \(registry).shared is a mock: nothing has been assigned to it.
      registry:       \(registry)
    To fix this:
      - Assign it at launch, before anything uses it: \(registry).assignDesiredImplementation(to: …).
      - Or allow mocks: unset PLUG_TRAP_ON_MOCK.
    """
  }
}
