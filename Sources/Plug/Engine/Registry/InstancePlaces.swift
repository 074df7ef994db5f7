/// Where some slots are, by identity, of an injector that looks for them; an object, because few do.
final class InstancePlaces {
  /// Those of a scope's own, by what is registered, if there are many: few are looked through.
  var own: [ObjectIdentifier: Int]?

  /// Those of cells whose instance has been made and is not published yet, by what it is kept as. They have their place
  /// in the order.
  var reserved: [ObjectIdentifier: Int] = [:]
}
