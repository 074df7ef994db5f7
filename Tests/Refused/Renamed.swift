// Names of earlier versions: the error has the new one.
import Plug

#if REFUSED
  func validate(_ services: Injector) throws {
    // error: 'complete' has been renamed to 'strict'
    try services.validate(.complete)
    // error: 'known' has been renamed to 'lenient'
    try services.seal(.known)
    // error: 'depends()' has been renamed to 'dependsOnNothing'
    try services.register(injectable: .factory { 1 }.depends())
    // error: 'Isolation' has been renamed to 'TestIsolation'
    _ = Isolation.current
  }
#endif
