// A test that imports PlugTesting also has `TestIsolation` and `Injector.preview`.
@_exported public import PlugIsolation
