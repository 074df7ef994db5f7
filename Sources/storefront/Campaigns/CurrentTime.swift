import Plug
import PlugFeatures
import PlugKeys

/// The current time of the shop.
enum CurrentTime: Property {
  static var defaultValue: Moment { Moment(Timestamp.system.date) }
}
