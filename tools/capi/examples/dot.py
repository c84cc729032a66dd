"""Calls compiled code through the foreign function interface of Python: LIBRARY is the path of libmlopt.so."""
import ctypes
import sys


class String(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    def text(self):
        return ctypes.string_at(self.data, self.size).decode()


class Element(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("dtype", Element),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


library = ctypes.CDLL(sys.argv[1])
library.mlopt_version.restype = String
library.mlopt_error_message.restype = String
library.mlopt_error_message.argtypes = [ctypes.c_void_p]


def text(string):
    data = string.encode()
    return data, ctypes.c_size_t(len(data))


def call(name, *arguments):
    error = ctypes.c_void_p()
    status = getattr(library, name)(*arguments, ctypes.byref(error))
    if status != 0:
        message = library.mlopt_error_message(error).text()
        library.mlopt_error_free(error)
        raise RuntimeError(message)


session, code, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
call("mlopt_session_new", ctypes.byref(session))
source = "(def slope ((x f64)) ((grad (lam (y) (* y (sin y)))) x))"
call("mlopt_compile", session, *text("slope.lambda"), *text(source), ctypes.byref(code))
call("mlopt_code_function", code, *text("slope"), ctypes.byref(function))
x, z = ctypes.c_double(2.0), ctypes.c_double()


def scalar(number):
    return Tensor(ctypes.addressof(number), 1, 0, 0, Element(2, 64, 1), None, None, 0)


one = ctypes.c_size_t(1)
call("mlopt_function_call", function, ctypes.byref(scalar(x)), one, ctypes.byref(scalar(z)), one)
print(f"{z.value:.6f}")
try:
    call("mlopt_compile", session, *text("bad.lambda"), *text("(def f (x) (g x))"), ctypes.byref(code))
except RuntimeError as error:
    print(str(error).splitlines()[0])
for free, handle in [("function", function), ("code", code), ("session", session)]:
    getattr(library, f"mlopt_{free}_free")(handle)
