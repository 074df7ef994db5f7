// A test that imports PlugTesting also has `Injector`, `TestIsolation` and `Injector.preview`.
@_exported public import Plug
@_exported public import PlugIsolation
