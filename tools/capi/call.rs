//! Functions and calls.

use crate::guard::{at, guarded, list, or, store};
use crate::handle::{create, free, get, get_mut};
use crate::status::{Failure, mlopt_status};
use crate::types::*;
use mlopt::{DlTensor, View, ViewMut};
use std::ffi::c_void;

/// Returns the name of a function, which lives as long as the function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_function_name(function: *const mlopt_function) -> mlopt_string {
    // SAFETY: of this function: the function is one.
    or(mlopt_string::EMPTY, || Ok(mlopt_string::of(unsafe { get(function)? }.function.name())))
}

/// Returns the number of arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_function_input_count(function: *const mlopt_function) -> usize {
    // SAFETY: of this function: the function is one.
    or(0, || Ok(unsafe { get(function)? }.inputs.len()))
}

/// Returns the number of results.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_function_result_count(function: *const mlopt_function) -> usize {
    // SAFETY: of this function: the function is one.
    or(0, || Ok(unsafe { get(function)? }.results.len()))
}

/// Returns the type of an argument, which lives as long as the function. Returns false if there is none at this
/// position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_function_input_type(
    function: *const mlopt_function,
    position: usize,
    ty: *mut mlopt_type,
) -> bool {
    // SAFETY: of this function: the function is one, and the address may be written.
    or(false, || unsafe { at(ty, get(function)?.inputs.get(position).map(mlopt_type::of)) })
}

/// Returns the type of a result, which lives as long as the function. Returns false if there is none at this position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_function_result_type(
    function: *const mlopt_function,
    position: usize,
    ty: *mut mlopt_type,
) -> bool {
    // SAFETY: of this function: the function is one, and the address may be written.
    or(false, || unsafe { at(ty, get(function)?.results.get(position).map(mlopt_type::of)) })
}

/// Calls a function and writes the results into these arrays, which must be contiguous and must not overlap the
/// arguments. Arguments may have any strides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_function_call(
    function: *const mlopt_function,
    inputs: *const mlopt_tensor,
    input_count: usize,
    results: *const mlopt_tensor,
    result_count: usize,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the function is one, the tensors are arrays in memory, and the address may be written.
    unsafe {
        guarded(error, || {
            let function = &get(function)?.function;
            let inputs = tensors(inputs, input_count, "the arguments")?;
            let mut results = tensors(results, result_count, "the results")?;
            check_overlap(&inputs, &results)?;
            Ok(function.call_into(&views(&inputs)?, &mut views_mut(&mut results)?)?)
        })
    }
}

/// Calls a function and returns the results in new memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_function_call_new(
    function: *const mlopt_function,
    inputs: *const mlopt_tensor,
    input_count: usize,
    result: *mut *mut mlopt_result,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the function is one, the tensors are arrays in memory, and the addresses may be
    // written.
    unsafe {
        guarded(error, || {
            let function = &get(function)?.function;
            let inputs = tensors(inputs, input_count, "the arguments")?;
            store(result, || {
                let results = function.call(&views(&inputs)?)?.into_iter();
                let sizes = |shape: &[usize]| shape.iter().map(|n| *n as i64).collect();
                Ok(create(results.map(|tensor| (sizes(tensor.shape()), tensor)).map(|(s, t)| (t, s)).collect()))
            })
        })
    }
}

/// Prepares calls with arguments of these types and shapes; the addresses of the data are not used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_function_prepare(
    function: *const mlopt_function,
    inputs: *const mlopt_tensor,
    input_count: usize,
    call: *mut *mut mlopt_call,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the function is one, the tensors have shapes, and the addresses may be written.
    unsafe {
        guarded(error, || {
            let typed = get(function)?;
            let mut inputs = tensors(inputs, input_count, "the arguments")?;
            // Only shapes matter, so any aligned address serves.
            for tensor in &mut inputs {
                tensor.data = std::ptr::without_provenance_mut(64);
                (tensor.strides, tensor.byte_offset) = (std::ptr::null(), 0);
            }
            let views = views(&inputs)?;
            let expected = typed.function.inputs();
            for (position, (ty, view)) in expected.iter().zip(&views).enumerate() {
                if mlopt_element::of(ty.element) != mlopt_element::of(view.element()) {
                    let name = typed.function.name();
                    let text = format!(
                        "argument #{position} of `@{name}` must have elements of type {}, found {}",
                        ty.element,
                        view.element()
                    );
                    return Err(Failure::argument(text));
                }
            }
            let shapes: Vec<&[usize]> = views.iter().map(View::shape).collect();
            store(call, || Ok(create(ShapedCall::new(typed.function.prepare(&shapes)?))))
        })
    }
}

/// Checks whether a call with these arguments copies none of them: whether all are contiguous, row-major and aligned,
/// and all truth values are bytes that are 0 or 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_is_zero_copy(inputs: *const mlopt_tensor, input_count: usize) -> bool {
    // SAFETY: of this function: the tensors are arrays in memory.
    or(false, || unsafe {
        let inputs = tensors(inputs, input_count, "the arguments")?;
        Ok(views(&inputs)?.iter().all(View::is_zero_copy))
    })
}

/// Frees a function. Calls that were prepared from it remain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_function_free(function: *mut mlopt_function) {
    // SAFETY: of this function: nothing else uses the function.
    unsafe { free(function) }
}

/// Calls the function of a prepared call, as `mlopt_function_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_call_run(
    call: *mut mlopt_call,
    inputs: *const mlopt_tensor,
    input_count: usize,
    results: *const mlopt_tensor,
    result_count: usize,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the call is one and used by this thread only, the tensors are arrays in memory, and the
    // address may be written.
    unsafe {
        guarded(error, || {
            let shaped = get_mut(call)?;
            let inputs = tensors(inputs, input_count, "the arguments")?;
            let mut results = tensors(results, result_count, "the results")?;
            check_overlap(&inputs, &results)?;
            let outcome = shaped.call.call(&views(&inputs)?, &mut views_mut(&mut results)?);
            shaped.update();
            Ok(outcome?)
        })
    }
}

/// Calls the function of a prepared call with contiguous, row-major and aligned arrays at these addresses, which are
/// not checked: they must have the prepared shapes, and results those of `mlopt_call_result_shape`. Truth values must
/// be bytes that are 0 or 1. If the sizes of results depend on values of arguments, and these arguments give other
/// shapes than `mlopt_call_result_shape` before the call, the call computes nothing and returns `MLOPT_ERROR_ARGUMENT`.
/// Then `mlopt_call_result_shape` returns the new shapes, and the call can be repeated with memory for them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_call_run_raw(
    call: *mut mlopt_call,
    inputs: *const *const c_void,
    input_count: usize,
    results: *const *mut c_void,
    result_count: usize,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the call is one and used by this thread only, the addresses are those of such arrays,
    // and the address of the error may be written.
    unsafe {
        guarded(error, || {
            let shaped = get_mut(call)?;
            let inputs = list(inputs.cast::<*const u8>(), input_count, "the arguments")?;
            let results = list(results.cast::<*mut u8>(), result_count, "the results")?;
            let outcome = shaped.call.call_raw(inputs, results);
            shaped.update();
            Ok(outcome?)
        })
    }
}

/// Returns the bytes of scratch memory that a prepared call keeps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_call_scratch_size(call: *const mlopt_call) -> usize {
    // SAFETY: of this function: the call is one.
    or(0, || Ok(unsafe { get(call)? }.call.scratch_bytes()))
}

/// Returns the sizes of a result of a prepared call, which live until the next call. Returns false if there is no
/// result at this position, or if its sizes depend on values of arguments and there was no call yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_call_result_shape(
    call: *const mlopt_call,
    position: usize,
    ndim: *mut i32,
    shape: *mut *const i64,
) -> bool {
    // SAFETY: of this function: the call is one, and the addresses may be written.
    or(false, || unsafe {
        let found = get(call)?.results.get(position);
        Ok(at(ndim, found.map(|sizes| sizes.len() as i32))? && at(shape, found.map(|sizes| sizes.as_ptr()))?)
    })
}

/// Frees a prepared call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_call_free(call: *mut mlopt_call) {
    // SAFETY: of this function: nothing else uses the call.
    unsafe { free(call) }
}

/// Returns the number of results.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_result_count(result: *const mlopt_result) -> usize {
    // SAFETY: of this function: the result is one.
    or(0, || Ok(unsafe { get(result)? }.len()))
}

/// Returns a result, whose memory lives as long as the object. Returns false if there is none at this position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_result_tensor(
    result: *mut mlopt_result,
    position: usize,
    tensor: *mut mlopt_tensor,
) -> bool {
    // SAFETY: of this function: the result is one and used by this thread only, and the address may be written.
    or(false, || unsafe {
        let found = get_mut(result)?.get_mut(position).map(|(found, shape)| mlopt_tensor {
            data: found.view_mut().as_mut_ptr().cast(),
            device_type: 1,
            device_id: 0,
            ndim: shape.len() as i32,
            dtype: mlopt_element::of(found.element()),
            shape: shape.as_ptr(),
            strides: std::ptr::null(),
            byte_offset: 0,
        });
        at(tensor, found)
    })
}

/// Frees the results of a call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_result_free(result: *mut mlopt_result) {
    // SAFETY: of this function: nothing else uses the result.
    unsafe { free(result) }
}

/// Copies the descriptions of tensors.
///
/// # Safety
/// The address is null or that of `count` tensors.
unsafe fn tensors(start: *const mlopt_tensor, count: usize, what: &str) -> Result<Vec<DlTensor>, Failure> {
    // SAFETY: guaranteed by the caller.
    Ok(unsafe { list(start, count, what)? }.iter().map(mlopt_tensor::tensor).collect())
}

/// # Safety
/// The tensors describe arrays in memory that nothing writes while the views exist.
unsafe fn views(tensors: &[DlTensor]) -> Result<Vec<View<'_>>, Failure> {
    // SAFETY: guaranteed by the caller.
    Ok(tensors.iter().map(|tensor| unsafe { tensor.view() }).collect::<Result<_, _>>()?)
}

/// # Safety
/// The tensors describe arrays in memory that nothing else accesses while the views exist.
unsafe fn views_mut(tensors: &mut [DlTensor]) -> Result<Vec<ViewMut<'_>>, Failure> {
    // SAFETY: guaranteed by the caller.
    Ok(tensors.iter_mut().map(|tensor| unsafe { tensor.view_mut() }).collect::<Result<_, _>>()?)
}

/// Checks that results overlap neither each other nor arguments.
///
/// # Safety
/// The tensors describe arrays in memory.
unsafe fn check_overlap(inputs: &[DlTensor], results: &[DlTensor]) -> Result<(), Failure> {
    // SAFETY: guaranteed by the caller.
    let ranges = |all: &[DlTensor]| unsafe { all.iter().map(|tensor| range(tensor)).collect::<Result<Vec<_>, _>>() };
    let (inputs, results) = (ranges(inputs)?, ranges(results)?);
    for (k, result) in results.iter().enumerate() {
        let meets = |other: &&(usize, usize)| other.0 < result.1 && result.0 < other.1;
        if let Some(other) = inputs.iter().position(|other| meets(&other)) {
            return Err(Failure::argument(format!("the memory of result #{k} overlaps that of argument #{other}")));
        }
        if let Some(other) = results[..k].iter().position(|other| meets(&other)) {
            return Err(Failure::argument(format!("the memory of result #{k} overlaps that of result #{other}")));
        }
    }
    Ok(())
}

/// Returns the addresses of the first byte of an array, and of the byte after the last one.
///
/// # Safety
/// The tensor describes an array in memory.
unsafe fn range(tensor: &DlTensor) -> Result<(usize, usize), Failure> {
    // SAFETY: guaranteed by the caller.
    let view = unsafe { tensor.view()? };
    if view.shape().contains(&0) {
        return Ok((0, 0));
    }
    let bytes = view.element().bytes();
    let (mut first, mut last) = (0isize, 0isize);
    let strides = view.strides().map_or_else(|| row_major(view.shape()), <[isize]>::to_vec);
    for (n, stride) in view.shape().iter().zip(strides) {
        let reach = (*n as isize - 1).saturating_mul(stride).saturating_mul(bytes as isize);
        *(if reach < 0 { &mut first } else { &mut last }) += reach;
    }
    let start = view.as_ptr().addr();
    Ok((start.saturating_add_signed(first), start.saturating_add_signed(last) + bytes))
}

/// Returns the strides of a contiguous array.
fn row_major(shape: &[usize]) -> Vec<isize> {
    let mut strides: Vec<isize> =
        shape.iter().rev().scan(1, |next, n| Some(std::mem::replace(next, *next * *n as isize))).collect();
    strides.reverse();
    strides
}
