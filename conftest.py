"""In a test a value refuses to be changed: said here, before any class of values is made."""

from brt_cg import immutable

immutable.enforce = True
