// Depends on all products, so that the documentation of each can be built.
