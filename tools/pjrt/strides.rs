//! Copies between arrays with different distances of their elements.
#![allow(unsafe_code)]

use crate::api::{MemoryLayout, layout};
use crate::error::Error;
use crate::pointers::slice;
use crate::types::ArrayType;

/// Copies the elements of an array. Each side has a pointer to the first element and strides in bytes.
///
/// # Safety
/// All elements of the source are readable, those of the target are writable, and the two do not overlap.
pub unsafe fn copy(ty: &ArrayType, (from, from_strides): (*const u8, &[i64]), (to, to_strides): (*mut u8, &[i64])) {
    if ty.bytes() == 0 {
        return;
    }
    let axes = merged(&ty.dims, from_strides, to_strides);
    let mut chunk = ty.element.bytes();
    let mut outer = &axes[..];
    // The innermost axis is copied at once if it has no gaps.
    if let Some((&[len, from_stride, to_stride], rest)) = axes.split_last()
        && from_stride == chunk as i64
        && to_stride == chunk as i64
    {
        (chunk, outer) = (chunk * len as usize, rest);
    }
    // SAFETY: as for this function.
    unsafe { copy_axes(outer, chunk, from, to) }
}

/// Copies chunks along the remaining axes, the outermost first.
///
/// # Safety
/// As for [`copy`].
unsafe fn copy_axes(axes: &[[i64; 3]], chunk: usize, from: *const u8, to: *mut u8) {
    // SAFETY: the offsets are those of elements of the arrays.
    unsafe {
        match axes {
            [] => std::ptr::copy_nonoverlapping(from, to, chunk),
            [[len, from_stride, to_stride]] => {
                let each = |k: i64| (from.offset((k * from_stride) as isize), to.offset((k * to_stride) as isize));
                match chunk {
                    1 => (0..*len).map(each).for_each(|(from, to)| *to = *from),
                    2 => (0..*len).map(each).for_each(|(from, to)| word::<u16>(from, to)),
                    4 => (0..*len).map(each).for_each(|(from, to)| word::<u32>(from, to)),
                    8 => (0..*len).map(each).for_each(|(from, to)| word::<u64>(from, to)),
                    _ => (0..*len).map(each).for_each(|(from, to)| std::ptr::copy_nonoverlapping(from, to, chunk)),
                }
            }
            [[len, from_stride, to_stride], rest @ ..] => {
                for k in 0..*len {
                    let (from, to) = (from.offset((k * from_stride) as isize), to.offset((k * to_stride) as isize));
                    copy_axes(rest, chunk, from, to);
                }
            }
        }
    }
}

/// Copies one element.
///
/// # Safety
/// As for [`copy`].
unsafe fn word<T>(from: *const u8, to: *mut u8) {
    // SAFETY: as for `copy`; neither side needs to be aligned.
    unsafe { to.cast::<T>().write_unaligned(from.cast::<T>().read_unaligned()) }
}

/// Returns the axes with more than one element, each with its length and its two strides. Neighbouring axes without
/// gaps between them become one.
fn merged(dims: &[i64], from: &[i64], to: &[i64]) -> Vec<[i64; 3]> {
    let mut axes: Vec<[i64; 3]> = vec![];
    for ((&len, &from), &to) in dims.iter().zip(from).zip(to).filter(|((len, _), _)| **len != 1) {
        match axes.last_mut() {
            Some([outer, outer_from, outer_to]) if *outer_from == len * from && *outer_to == len * to => {
                (*outer, *outer_from, *outer_to) = (*outer * len, from, to);
            }
            _ => axes.push([len, from, to]),
        }
    }
    axes
}

/// Returns the strides of a layout of the caller, or `None` for the layout of our buffers.
pub fn of_layout(ty: &ArrayType, given: *const MemoryLayout) -> Result<Option<Vec<i64>>, Error> {
    // SAFETY: the caller of the API passes null or a pointer to a layout, and keeps it during the call.
    let Some(given) = (unsafe { given.as_ref() }) else { return Ok(None) };
    let rank = ty.dims.len();
    let strides = match given.r#type {
        layout::TILED => {
            // SAFETY: the type selects the field.
            let tiled = unsafe { given.layout.tiled };
            if tiled.num_tiles > 0 {
                return Err(Error::unimplemented("not supported: layouts with tiles"));
            }
            let order = slice(tiled.minor_to_major, tiled.minor_to_major_size)?;
            let mut axes: Vec<usize> = order.iter().filter_map(|&axis| usize::try_from(axis).ok()).collect();
            let strides =
                (order.len() == rank && axes.iter().all(|&axis| axis < rank)).then(|| ty.strides_in_order(&axes));
            axes.sort_unstable();
            axes.dedup();
            strides.filter(|_| axes.len() == rank).ok_or_else(|| {
                Error::invalid(format!("expected a layout with a permutation of {rank} axes, found {order:?}"))
            })?
        }
        layout::STRIDES => {
            // SAFETY: the type selects the field.
            let given = unsafe { given.layout.strides };
            let strides = slice(given.byte_strides, given.num_byte_strides)?;
            checked(ty, strides)?.to_vec()
        }
        other => return Err(Error::invalid(format!("expected a layout of type 0 or 1, found {other}"))),
    };
    Ok(Some(strides).filter(|strides| !is_dense(ty, strides)))
}

/// Checks strides of the caller: there is one for each axis, and offsets of elements fit 63 bits.
pub fn checked<'s>(ty: &ArrayType, strides: &'s [i64]) -> Result<&'s [i64], Error> {
    if strides.len() != ty.dims.len() {
        let text = format!("expected {} strides for {ty}, found {strides:?}", ty.dims.len());
        return Err(Error::invalid(text));
    }
    let total = strides
        .iter()
        .zip(&ty.dims)
        .try_fold(0i64, |total, (stride, len)| total.checked_add(stride.checked_abs()?.checked_mul(*len)?));
    match total {
        Some(_) => Ok(strides),
        None => Err(Error::invalid(format!("expected strides of an array in memory, found {strides:?} for {ty}"))),
    }
}

/// Returns the number of bytes from the first element in memory to the end of the last one.
pub fn span(ty: &ArrayType, strides: &[i64]) -> usize {
    if ty.bytes() == 0 {
        return 0;
    }
    let each = strides.iter().zip(&ty.dims).map(|(stride, len)| stride.unsigned_abs() as usize * (*len as usize - 1));
    each.sum::<usize>() + ty.element.bytes()
}

/// Checks whether these are the strides of our buffers, apart from axes whose stride does not matter.
pub fn is_dense(ty: &ArrayType, strides: &[i64]) -> bool {
    ty.bytes() == 0
        || ty.dims.iter().zip(strides).zip(ty.strides()).all(|((len, found), want)| *len == 1 || *found == want)
}
