/// An attempt to build the shared instance of a cell.
///
/// Soundness of the unchecked conformance: `service` is written by the owner before the phase leaves `constructing`,
/// and read by others after they have seen that, under the same lock.
final class TypedAttempt<Service: Sendable>: Attempt, @unchecked Sendable {
  private let recipe: Recipe<Service>
  var service: Service?
  /// What has been made, if that has to be closed.
  var made: Service?

  init(_ recipe: Recipe<Service>, owner: ThreadContext) {
    self.recipe = recipe
    super.init(step: recipe.cell, owner: owner)
  }

  override func reserve() { recipe.cell.reserve(in: recipe.injector) }
  override func withdraw() { recipe.injector.withdraw(recipe.cell) }

  override func finish(_ failure: InjectorError?, isOwn: Bool) -> InjectorError? {
    let isOwn = isOwn || failure == nil
    var failure = failure
    if failure == nil, let service {
      failure = recipe.cell.publish(service, made, in: recipe.injector)
    } else if let made, recipe.loaded == nil {
      recipe.cell.discard(made, in: recipe.injector)
    }
    recipe.cell.endAttempt(in: recipe.injector)
    return super.finish(failure, isOwn: isOwn)
  }
}
