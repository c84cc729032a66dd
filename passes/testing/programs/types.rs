//! Types of random programs: element types, and sizes that may depend on the arguments.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    F64,
    F32,
    I64,
    I32,
    I16,
    I8,
    Index,
    I1,
}

pub use Element::{F32, F64, I1, I8, I16, I32, I64, Index};

impl Element {
    pub fn text(self) -> &'static str {
        match self {
            F64 => "f64",
            F32 => "f32",
            I64 => "i64",
            I32 => "i32",
            I16 => "i16",
            I8 => "i8",
            Index => "index",
            I1 => "i1",
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, F64 | F32)
    }

    pub fn is_numeric(self) -> bool {
        self != I1
    }
}

/// `known + Σ times · (n, m, max(k, 0), n · m)`; static when only known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    pub known: usize,
    pub times: [usize; 4],
}

pub const fn known(known: usize) -> Size {
    Size { known, times: [0; 4] }
}

pub const N: Size = Size { known: 0, times: [1, 0, 0, 0] };
pub const M: Size = Size { known: 0, times: [0, 1, 0, 0] };
pub const K: Size = Size { known: 0, times: [0, 0, 1, 0] };
pub const NM: Size = Size { known: 0, times: [0, 0, 0, 1] };

impl Size {
    pub fn is_static(self) -> bool {
        self.times == [0; 4]
    }

    pub fn text(self) -> String {
        if self.is_static() { self.known.to_string() } else { "?".into() }
    }

    pub fn plus(self, other: Size) -> Size {
        let mut times = self.times;
        times.iter_mut().zip(other.times).for_each(|(a, b)| *a += b);
        Size { known: self.known + other.known, times }
    }

    /// Returns the product of two sizes, if that is a size.
    pub fn product(self, other: Size) -> Option<Size> {
        match (self, other) {
            (a, c) | (c, a) if c.is_static() => Some(a.scaled(c.known)),
            (N, M) | (M, N) => Some(NM),
            _ => None,
        }
    }

    pub fn scaled(self, c: usize) -> Size {
        Size { known: self.known * c, times: self.times.map(|t| t * c) }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ty {
    pub element: Element,
    pub shape: Vec<Size>,
}

impl Ty {
    pub fn new(element: Element, shape: &[Size]) -> Ty {
        Ty { element, shape: shape.to_vec() }
    }

    pub fn scalar(element: Element) -> Ty {
        Ty::new(element, &[])
    }

    pub fn with(&self, element: Element) -> Ty {
        Ty::new(element, &self.shape)
    }

    pub fn text(&self) -> String {
        let sizes: String = self.shape.iter().map(|n| n.text() + "x").collect();
        if self.shape.is_empty() {
            self.element.text().into()
        } else {
            format!("tensor<{sizes}{}>", self.element.text())
        }
    }

    pub fn rank(&self) -> usize {
        self.shape.len()
    }
}

pub type Var = (String, Ty);
