use crate::double::{Owned, destroy, is_deleted, read};
use crate::{call, finish, list};
use mlopt_pjrt::api::*;
use mlopt_pjrt::types::Element;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

fn device(buffer: *const opaque::Buffer) -> *const u8 {
    let mut args = BufferUnsafePointer { buffer, ..Default::default() };
    call("PJRT_Buffer_UnsafePointer", &mut args).expect("a pointer");
    args.buffer_pointer as *const u8
}

#[test]
fn arrays_of_every_element_type_return_unchanged() {
    let client = Owned::new();
    let bytes: Vec<u8> = (0..=255).collect();
    for element in Element::ALL {
        for dims in [&[][..], &[3], &[2, 3], &[2, 1, 5], &[0, 4]] {
            let size = dims.iter().product::<i64>() as usize * element.bytes();
            let buffer = client.buffer(element as c_int, dims, &bytes[..size]);
            // Truth values become 0 or 1, other elements keep their bytes.
            let is_truth = element == Element::Pred;
            let expected: Vec<u8> = bytes[..size].iter().map(|b| if is_truth { (*b).min(1) } else { *b }).collect();
            assert_eq!(read::<u8>(buffer).expect("data"), expected, "{element:?} {dims:?}");
            let mut ty = BufferElementType { buffer, ..Default::default() };
            call("PJRT_Buffer_ElementType", &mut ty).expect("a type");
            assert_eq!(ty.r#type, element as c_int);
            let mut shape = BufferDimensions { buffer, ..Default::default() };
            call("PJRT_Buffer_Dimensions", &mut shape).expect("dimensions");
            assert_eq!(list(shape.dims, shape.num_dims), dims);
            let mut on_device = BufferOnDeviceSizeInBytes { buffer, ..Default::default() };
            call("PJRT_Buffer_OnDeviceSizeInBytes", &mut on_device).expect("a size");
            assert_eq!(on_device.on_device_size_in_bytes, size);
            assert!((device(buffer) as usize).is_multiple_of(64));
            destroy(buffer);
        }
    }
}

/// The array x[i, j, k] = 100 i + 10 j + k of shape (2, 3, 4) arrives with any strides.
#[test]
fn strided_arrays_become_row_major() {
    let client = Owned::new();
    let dims = [2i64, 3, 4];
    let number = |i: i64, j: i64, k: i64| (100 * i + 10 * j + k) as i32;
    let expected: Vec<i32> = (0..24).map(|at| number(at / 12, at / 4 % 3, at % 4)).collect();
    // Strides in elements: row-major, transposed, reversed, and with gaps.
    for strides in [[12, 4, 1], [1, 2, 6], [4, 8, 1], [-12, 4, 1], [12, -4, -1], [48, 8, 2], [1, 100, 10]] {
        let lowest: i64 = strides.iter().zip(dims).map(|(s, n): (&i64, i64)| (s * (n - 1)).min(0)).sum();
        let mut host = vec![-1i32; 512];
        for (i, j, k) in (0..24).map(|at| (at / 12, at / 4 % 3, at % 4)) {
            host[(i * strides[0] + j * strides[1] + k * strides[2] - lowest) as usize] = number(i, j, k);
        }
        let bytes = strides.map(|stride| 4 * stride);
        let mut args = client.from_host(4, &dims, &host[-lowest as usize..]);
        (args.byte_strides, args.num_byte_strides) = (bytes.as_ptr(), 3);
        call("PJRT_Client_BufferFromHostBuffer", &mut args).expect("a buffer");
        finish(args.done_with_host_buffer).expect("copied");
        assert_eq!(read::<i32>(args.buffer).expect("data"), expected, "{strides:?}");
        destroy(args.buffer);
    }
}

/// A stride of zero repeats elements, as in NumPy's `broadcast_to`.
#[test]
fn broadcast_arrays_are_expanded() {
    let client = Owned::new();
    let (dims, strides, host) = ([3i64, 2], [0i64, 2], [7i16, 8]);
    let mut args = client.from_host(3, &dims, &host);
    (args.byte_strides, args.num_byte_strides) = (strides.as_ptr(), 2);
    call("PJRT_Client_BufferFromHostBuffer", &mut args).expect("a buffer");
    finish(args.done_with_host_buffer).expect("copied");
    assert_eq!(read::<i16>(args.buffer).expect("data"), [7, 8, 7, 8, 7, 8]);
    destroy(args.buffer);
}

#[test]
fn arrays_return_in_the_layout_of_the_caller() {
    let client = Owned::new();
    let data: Vec<u64> = (0..6).collect();
    let buffer = client.buffer(9, &[2, 3], &data);
    let order = [0i64, 1];
    let tiled = TiledLayout { minor_to_major: order.as_ptr(), minor_to_major_size: 2, ..Default::default() };
    let columns = MemoryLayout { layout: AnyLayout { tiled }, r#type: layout::TILED, ..Default::default() };
    let mut host = [99u64; 8];
    let mut args = BufferToHostBuffer { src: buffer, host_layout: &columns, ..Default::default() };
    call("PJRT_Buffer_ToHostBuffer", &mut args).expect("a size");
    assert_eq!(args.dst_size, 48);
    (args.dst, args.dst_size) = (host.as_mut_ptr().cast(), 64);
    call("PJRT_Buffer_ToHostBuffer", &mut args).expect("copied");
    finish(args.event).expect("copied");
    assert_eq!(host, [0, 3, 1, 4, 2, 5, 99, 99]);

    let bytes = [32i64, 8];
    let strides = StridesLayout { byte_strides: bytes.as_ptr(), num_byte_strides: 2, ..Default::default() };
    let rows = MemoryLayout { layout: AnyLayout { strides }, r#type: layout::STRIDES, ..Default::default() };
    let mut args = BufferToHostBuffer { src: buffer, host_layout: &rows, ..Default::default() };
    let mut host = [99u64; 8];
    (args.dst, args.dst_size) = (host.as_mut_ptr().cast(), 64);
    call("PJRT_Buffer_ToHostBuffer", &mut args).expect("copied");
    finish(args.event).expect("copied");
    assert_eq!(host, [0, 1, 2, 99, 3, 4, 5, 99]);

    args.dst_size = 48;
    let text = "expected room for 56 bytes of an array of type uint64[2,3], found 48".to_string();
    assert_eq!(call("PJRT_Buffer_ToHostBuffer", &mut args), Err((3, text)));
    let mut own = BufferGetMemoryLayout { buffer, ..Default::default() };
    call("PJRT_Buffer_GetMemoryLayout", &mut own).expect("a layout");
    // SAFETY: the layout of buffers is tiled.
    let own = unsafe { own.layout.layout.tiled };
    assert_eq!((list(own.minor_to_major, own.minor_to_major_size), own.num_tiles), (vec![1, 0], 0));
    destroy(buffer);
}

#[test]
fn wrong_descriptions_of_arrays_are_rejected() {
    let client = Owned::new();
    let host = [0f32; 16];
    let fails = |change: &dyn Fn(&mut ClientBufferFromHostBuffer), dims: &[i64], code: c_int, text: &str| {
        let mut args = client.from_host(11, dims, &host);
        change(&mut args);
        let found = call("PJRT_Client_BufferFromHostBuffer", &mut args);
        assert_eq!(found, Err((code, text.to_string())));
    };
    let tiles = [0i64];
    let tiled = |order: &[i64], num_tiles| {
        let tiled = TiledLayout {
            minor_to_major: order.as_ptr(),
            minor_to_major_size: order.len(),
            tile_dims: tiles.as_ptr(),
            num_tiles,
            ..Default::default()
        };
        MemoryLayout { layout: AnyLayout { tiled }, r#type: layout::TILED, ..Default::default() }
    };
    fails(&|a| a.r#type = 21, &[4], 12, "not supported: buffers of element type number 21");
    fails(&|_| {}, &[4, -1], 3, "expected dimensions of at least 0, found [4, -1]");
    fails(
        &|_| {},
        &[1 << 40, 1 << 40],
        3,
        "expected an array of less than 2^63 bytes, found dimensions [1099511627776, \
        1099511627776]",
    );
    fails(&|a| a.data = std::ptr::null(), &[4], 3, "expected a pointer to an array of type float32[4], found null");
    fails(&|a| a.host_buffer_semantics = 4, &[4], 3, "expected semantics of a host buffer from 0 to 3, found 4");
    let strides = [4i64];
    fails(
        &|a| (a.byte_strides, a.num_byte_strides) = (strides.as_ptr(), 1),
        &[2, 2],
        3,
        "expected 2 strides for float32[2,2], found [4]",
    );
    let columns = tiled(&[0, 1], 0);
    fails(
        &|a| a.device_layout = &columns,
        &[2, 2],
        12,
        "not supported: a buffer of type float32[2,2] with strides [4, 8] in bytes on the device; arrays are row-major",
    );
    let wrong = tiled(&[0, 0], 0);
    fails(&|a| a.device_layout = &wrong, &[2, 2], 3, "expected a layout with a permutation of 2 axes, found [0, 0]");
    let tiles = tiled(&[1, 0], 1);
    fails(&|a| a.device_layout = &tiles, &[2, 2], 12, "not supported: layouts with tiles");
    let other = Owned::new();
    let mut found = ClientLookupDevice { client: other.0, ..Default::default() };
    call("PJRT_Client_LookupDevice", &mut found).expect("the device");
    fails(&|a| a.device = found.device, &[4], 3, "expected the device or memory of this client, found another");
}

#[repr(align(64))]
struct Aligned([f32; 8]);

#[test]
fn memory_of_the_caller_is_used_in_place_until_the_buffer_is_freed() {
    let client = Owned::new();
    let host = Aligned([1.0; 8]);
    for semantics in [semantics::IMMUTABLE_ZERO_COPY, semantics::MUTABLE_ZERO_COPY] {
        let mut args = client.from_host(11, &[8], &host.0);
        args.host_buffer_semantics = semantics;
        call("PJRT_Client_BufferFromHostBuffer", &mut args).expect("a buffer");
        assert_eq!(device(args.buffer), host.0.as_ptr().cast());
        let mut ready = EventIsReady { event: args.done_with_host_buffer, ..Default::default() };
        call("PJRT_Event_IsReady", &mut ready).expect("a state");
        assert_eq!(ready.is_ready, 0);
        destroy(args.buffer);
        call("PJRT_Event_IsReady", &mut ready).expect("a state");
        assert_eq!(ready.is_ready, 1);
        finish(args.done_with_host_buffer).expect("released");
    }
    // An array that is not aligned as JAX's CPU requires, one with another layout, and one that the caller may change
    // are copied.
    let columns = [4i64, 16];
    for (offset, strided, semantics) in [
        (1, false, semantics::IMMUTABLE_ZERO_COPY),
        (4, false, semantics::IMMUTABLE_ZERO_COPY),
        (16, false, semantics::IMMUTABLE_ZERO_COPY),
        (0, true, semantics::IMMUTABLE_ZERO_COPY),
        (0, false, semantics::IMMUTABLE_ONLY_DURING_CALL),
        (0, false, semantics::IMMUTABLE_UNTIL_TRANSFER_COMPLETES),
    ] {
        let mut args = client.from_host(11, &[4, 1], &host.0);
        args.data = args.data.wrapping_byte_add(offset);
        if strided {
            args = ClientBufferFromHostBuffer { dims: [2i64, 2].as_ptr(), ..args };
            (args.byte_strides, args.num_byte_strides) = (columns.as_ptr(), 2);
        }
        args.host_buffer_semantics = semantics;
        call("PJRT_Client_BufferFromHostBuffer", &mut args).expect("a buffer");
        assert_ne!(device(args.buffer), args.data.cast());
        finish(args.done_with_host_buffer).expect("copied");
        destroy(args.buffer);
    }
}

/// Truth values other than 0 and 1, which a view of NumPy may have, are copied; others are used in place.
#[test]
fn truth_values_are_zero_or_one() {
    let client = Owned::new();
    #[repr(align(64))]
    struct Bytes([u8; 7]);
    let from = |bytes: [u8; 7], strides: &[i64], is_in_place: bool| {
        let bytes = &Bytes(bytes).0;
        let mut args = client.from_host(Element::Pred as c_int, &[4], &bytes[..]);
        args.host_buffer_semantics = semantics::IMMUTABLE_ZERO_COPY;
        (args.byte_strides, args.num_byte_strides) = (strides.as_ptr(), strides.len());
        call("PJRT_Client_BufferFromHostBuffer", &mut args).expect("a buffer");
        assert_eq!(device(args.buffer) == bytes.as_ptr(), is_in_place);
        let found = read::<u8>(args.buffer).expect("data");
        destroy(args.buffer);
        finish(args.done_with_host_buffer).expect("released");
        found
    };
    assert_eq!(from([1, 0, 1, 0, 9, 9, 9], &[], true), [1, 0, 1, 0]);
    assert_eq!(from([2, 1, 0, 255, 9, 9, 9], &[], false), [1, 1, 0, 1]);
    assert_eq!(from([2, 9, 0, 9, 1, 9, 255], &[2], false), [1, 0, 1, 1]);
}

/// The owner of a view is called at once if the view is copied.
#[test]
fn truth_values_of_views_are_zero_or_one() {
    unsafe extern "C" fn released(_: *mut c_void, calls: *mut c_void) {
        // SAFETY: the argument is the address of this number.
        unsafe { (*calls.cast::<AtomicUsize>()).fetch_add(1, Ordering::Relaxed) };
    }
    let client = Owned::new();
    for (mut bytes, expected, is_copied) in
        [([0u8, 1, 1, 0], [0u8, 1, 1, 0], false), ([0, 1, 2, 255], [0, 1, 1, 1], true)]
    {
        let calls = AtomicUsize::new(0);
        let data: *mut c_void = bytes.as_mut_ptr().cast();
        let mut args = ClientCreateViewOfDeviceBuffer {
            client: client.0,
            device_buffer_ptr: data,
            dims: [4i64].as_ptr(),
            num_dims: 1,
            element_type: Element::Pred as c_int,
            on_delete_callback: Some(released),
            on_delete_callback_arg: (&raw const calls).cast_mut().cast(),
            ..Default::default()
        };
        call("PJRT_Client_CreateViewOfDeviceBuffer", &mut args).expect("a view");
        assert_eq!((device(args.buffer) != data.cast(), calls.load(Ordering::Relaxed)), (is_copied, is_copied.into()));
        assert_eq!(read::<u8>(args.buffer).expect("data"), expected);
        destroy(args.buffer);
        assert_eq!(calls.load(Ordering::Relaxed), 1);
    }
}

#[test]
fn a_deleted_buffer_is_an_error_on_all_its_paths() {
    let client = Owned::new();
    let buffer = client.buffer(4, &[2], &[5, 6]);
    let mut before = BufferReadyEvent { buffer, ..Default::default() };
    call("PJRT_Buffer_ReadyEvent", &mut before).expect("an event");
    call("PJRT_Buffer_Delete", &mut BufferDelete { buffer, ..Default::default() }).expect("deleted");
    assert!(is_deleted(buffer));
    let deleted = Err((3, "the buffer of type int32[2] has been deleted or donated".to_string()));
    assert_eq!(read::<i32>(buffer).map(drop), Ok(()).and(deleted.clone()));
    let mut after = BufferReadyEvent { buffer, ..Default::default() };
    call("PJRT_Buffer_ReadyEvent", &mut after).expect("an event");
    assert_eq!(finish(after.event), deleted);
    assert_eq!(finish(before.event), Ok(()));
    assert_eq!(call("PJRT_Buffer_UnsafePointer", &mut BufferUnsafePointer { buffer, ..Default::default() }), deleted);
    let mut found = ClientLookupDevice { client: client.0, ..Default::default() };
    call("PJRT_Client_LookupDevice", &mut found).expect("the device");
    let mut copy = BufferCopyToDevice { buffer, dst_device: found.device, ..Default::default() };
    assert_eq!(call("PJRT_Buffer_CopyToDevice", &mut copy), deleted);
    // Deleting it again changes nothing.
    call("PJRT_Buffer_Delete", &mut BufferDelete { buffer, ..Default::default() }).expect("deleted");
    destroy(buffer);
}

#[test]
fn an_external_reference_keeps_the_memory_of_a_deleted_buffer() {
    let client = Owned::new();
    let host = Aligned([3.0; 8]);
    let mut args = client.from_host(11, &[8], &host.0);
    args.host_buffer_semantics = semantics::IMMUTABLE_ZERO_COPY;
    call("PJRT_Client_BufferFromHostBuffer", &mut args).expect("a buffer");
    let buffer = args.buffer;
    let mut ready = EventIsReady { event: args.done_with_host_buffer, ..Default::default() };
    for _ in 0..2 {
        let mut args = BufferIncreaseExternalReferenceCount { buffer, ..Default::default() };
        call("PJRT_Buffer_IncreaseExternalReferenceCount", &mut args).expect("a reference");
    }
    call("PJRT_Buffer_Delete", &mut BufferDelete { buffer, ..Default::default() }).expect("deleted");
    for expected in [0, 1] {
        call("PJRT_Event_IsReady", &mut ready).expect("a state");
        assert_eq!(ready.is_ready, 0);
        let mut args = BufferDecreaseExternalReferenceCount { buffer, ..Default::default() };
        call("PJRT_Buffer_DecreaseExternalReferenceCount", &mut args).expect("one reference less");
        call("PJRT_Event_IsReady", &mut ready).expect("a state");
        assert_eq!(ready.is_ready, expected);
    }
    let mut less = BufferDecreaseExternalReferenceCount { buffer, ..Default::default() };
    let text = "expected an external reference to the buffer, found none".to_string();
    assert_eq!(call("PJRT_Buffer_DecreaseExternalReferenceCount", &mut less), Err((9, text)));
    finish(args.done_with_host_buffer).expect("released");
    destroy(buffer);
}

#[test]
fn copies_have_memory_of_their_own() {
    let client = Owned::new();
    let buffer = client.buffer(12, &[2], &[1.5f64, 2.5]);
    let mut memory = BufferMemory { buffer, ..Default::default() };
    call("PJRT_Buffer_Memory", &mut memory).expect("a memory");
    let mut copy = BufferCopyToMemory { buffer, dst_memory: memory.memory, ..Default::default() };
    call("PJRT_Buffer_CopyToMemory", &mut copy).expect("a copy");
    assert_ne!(device(buffer), device(copy.dst_buffer));
    destroy(buffer);
    assert_eq!(read::<f64>(copy.dst_buffer).expect("data"), [1.5, 2.5]);
    let mut part = [0f64];
    let mut raw = BufferCopyRawToHost {
        buffer: copy.dst_buffer,
        dst: part.as_mut_ptr().cast(),
        offset: 8,
        transfer_size: 8,
        ..Default::default()
    };
    call("PJRT_Buffer_CopyRawToHost", &mut raw).expect("copied");
    finish(raw.event).expect("copied");
    assert_eq!(part, [2.5]);
    raw.offset = 9;
    let text = "expected a range of the 16 bytes of an array of type float64[2], and a target, found 8 bytes at 9";
    assert_eq!(call("PJRT_Buffer_CopyRawToHost", &mut raw), Err((3, text.to_string())));
    destroy(copy.dst_buffer);
}

#[test]
fn the_owner_of_a_view_is_called_once() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn released(data: *mut c_void, argument: *mut c_void) {
        assert_eq!(data, argument);
        CALLS.fetch_add(1, Ordering::Relaxed);
    }
    let client = Owned::new();
    let mut host = Aligned([2.0; 8]);
    let data: *mut c_void = host.0.as_mut_ptr().cast();
    let mut args = ClientCreateViewOfDeviceBuffer {
        client: client.0,
        device_buffer_ptr: data,
        dims: [8i64].as_ptr(),
        num_dims: 1,
        element_type: 11,
        on_delete_callback: Some(released),
        on_delete_callback_arg: data,
        ..Default::default()
    };
    call("PJRT_Client_CreateViewOfDeviceBuffer", &mut args).expect("a view");
    assert_eq!(read::<f32>(args.buffer).expect("data"), [2.0; 8]);
    assert_eq!(CALLS.load(Ordering::Relaxed), 0);
    destroy(args.buffer);
    assert_eq!(CALLS.load(Ordering::Relaxed), 1);
    args.device_buffer_ptr = data.wrapping_byte_add(2);
    assert_eq!(call("PJRT_Client_CreateViewOfDeviceBuffer", &mut args).unwrap_err().0, 3);
    (args.device_buffer_ptr, args.on_delete_callback) = (std::ptr::null_mut(), None);
    assert_eq!(call("PJRT_Client_CreateViewOfDeviceBuffer", &mut args).unwrap_err().0, 3);
    args.dims = [0i64].as_ptr();
    call("PJRT_Client_CreateViewOfDeviceBuffer", &mut args).expect("a view of no bytes");
    assert_eq!(read::<f32>(args.buffer).expect("data"), [0f32; 0]);
    destroy(args.buffer);
}

#[test]
fn a_buffer_with_an_error_returns_it() {
    let client = Owned::new();
    let mut args = ClientCreateErrorBuffer {
        client: client.0,
        error_code: 14,
        error_message: c"gone".as_ptr(),
        error_message_size: 4,
        shape_dims: [2i64].as_ptr(),
        shape_num_dims: 1,
        shape_element_type: 11,
        ..Default::default()
    };
    call("PJRT_Client_CreateErrorBuffer", &mut args).expect("a buffer");
    assert!(!is_deleted(args.buffer));
    let mut copy = [0f32; 2];
    let mut read =
        BufferToHostBuffer { src: args.buffer, dst: copy.as_mut_ptr().cast(), dst_size: 8, ..Default::default() };
    assert_eq!(call("PJRT_Buffer_ToHostBuffer", &mut read), Err((14, "gone".to_string())));
    destroy(args.buffer);
}
