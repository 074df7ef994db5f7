/// What chooses among the candidates of one cell, for code that does not know the context.
package class AnySelector: @unchecked Sendable {
  /// The cells of the candidates, in the order in which they are chosen.
  package var cells: [Cell] { [] }

  /// A selector of these candidates without their instances.
  var renewed: AnySelector { mapping { $0.registration } }

  /// A selector of other candidates, in the places of these.
  func mapping(_ change: (Cell) -> Registration) -> AnySelector { self }
}

extension Injector {
  func choose(_ selector: AnySelector, _ cell: Cell, _ stack: ResolutionStack) throws(InjectorError) -> AnyBox {
    throw failure(.replaced, cell.registration, stack)
  }
}
