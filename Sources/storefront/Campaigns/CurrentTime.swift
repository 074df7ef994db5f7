import Plug
import PlugFeatures

/// The time that the shop goes by.
enum CurrentTime: Property {
  static var defaultValue: Moment { Moment(Timestamp.system.date) }
}
