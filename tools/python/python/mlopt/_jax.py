"""Functions that JAX traces."""
def jit(f):
    raise NotImplementedError
