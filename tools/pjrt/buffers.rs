//! Buffers: arrays in the memory of the process, contiguous and in row-major order.
//!
//! The memory of a buffer is shared by reference counting: a running program, another framework that holds an external
//! reference, and the buffer itself keep it alive. Deleting a buffer gives up its share only.
#![allow(unsafe_code)]

use crate::api::*;
use crate::client::{Client, Device, Memory};
use crate::error::{Code, Error};
use crate::events::{Event, Signal};
use crate::pointers::{Object, free, into_raw, object, slice, text};
use crate::strides;
use crate::types::{ArrayType, Element};
use mlopt_runtime::blocks::{ALIGNMENT, Block};
use mlopt_runtime::truth;
use std::ffi::{c_int, c_void};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The memory of an array.
pub struct Storage {
    data: *mut u8,
    bytes: usize,
    owner: Owner,
    client: Arc<Client>,
}

/// The owner, who frees the memory.
enum Owner {
    Plugin {
        _block: Block,
    },
    /// The caller, who waits for the signal.
    Host(Arc<Signal>),
    /// The caller, who is called.
    View {
        on_delete: OnDelete,
        argument: *mut c_void,
    },
}

// SAFETY: the memory is written only before it is shared, and the caller permits to call its function on any thread.
unsafe impl Send for Storage {}
// SAFETY: as above.
unsafe impl Sync for Storage {}

impl Storage {
    /// Allocates memory for an array. Its bytes are not initialised.
    fn allocate(client: &Arc<Client>, bytes: usize) -> Result<Storage, Error> {
        let exhausted = || Error::new(Code::ResourceExhausted, format!("out of memory: cannot allocate {bytes} bytes"));
        let block = Block::new(bytes).ok_or_else(exhausted)?;
        client.topology.device.statistics.add(bytes);
        Ok(Storage { data: block.start(), bytes, owner: Owner::Plugin { _block: block }, client: client.clone() })
    }

    fn of_host(client: &Arc<Client>, data: *mut u8, bytes: usize, owner: Owner) -> Storage {
        client.topology.device.statistics.add(bytes);
        Storage { data, bytes, owner, client: client.clone() }
    }

    pub fn data(&self) -> *mut u8 {
        self.data
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        self.client.topology.device.statistics.remove(self.bytes);
        match &self.owner {
            Owner::Plugin { .. } => {}
            Owner::Host(signal) => signal.set(Ok(())),
            Owner::View { on_delete: Some(on_delete), argument } => {
                // SAFETY: the caller of `PJRT_Client_CreateViewOfDeviceBuffer` permits this call, once.
                unsafe { on_delete(self.data.cast(), *argument) }
            }
            Owner::View { on_delete: None, .. } => {}
        }
    }
}

/// A buffer.
pub struct Buffer {
    pub ty: ArrayType,
    client: Arc<Client>,
    /// The axes, the one with the smallest stride first, for the callers that ask.
    order: OnceLock<Vec<i64>>,
    state: Mutex<State>,
}

// SAFETY: only `into_raw` makes pointers to buffers.
unsafe impl Object for Buffer {
    type Opaque = opaque::Buffer;
    const KIND: &'static str = "a buffer";
}

struct State {
    content: Content,
    /// The number of external references, and the memory that they keep.
    references: usize,
    referenced: Option<Arc<Storage>>,
}

enum Content {
    Data(Arc<Storage>),
    Failed(Error),
    Deleted,
}

impl Buffer {
    fn new(client: &Arc<Client>, ty: ArrayType, content: Content) -> Buffer {
        let state = Mutex::new(State { content, references: 0, referenced: None });
        Buffer { ty, client: client.clone(), order: OnceLock::new(), state }
    }

    /// Allocates a buffer, whose elements the caller must write before it shares the buffer. Returns it with a pointer
    /// to its memory.
    pub fn allocate(client: &Arc<Client>, ty: &ArrayType) -> Result<(Buffer, *mut u8), Error> {
        let storage = Storage::allocate(client, ty.bytes())?;
        let data = storage.data;
        Ok((Buffer::new(client, ty.clone(), Content::Data(Arc::new(storage))), data))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the memory of the buffer.
    ///
    /// # Errors
    /// The buffer is deleted, or was created with an error.
    pub fn storage(&self) -> Result<Arc<Storage>, Error> {
        match &self.lock().content {
            Content::Data(storage) => Ok(storage.clone()),
            Content::Failed(error) => Err(error.clone()),
            Content::Deleted => {
                Err(Error::invalid(format!("the buffer of type {} has been deleted or donated", self.ty)))
            }
        }
    }

    /// Gives up the buffer's share of its memory.
    pub fn delete(&self) {
        let old = std::mem::replace(&mut self.lock().content, Content::Deleted);
        // The memory is freed, and the caller informed, without the lock.
        drop(old);
    }
}

/// Returns the type of dimensions and an element type of the caller.
fn array_type(element: c_int, dims: *const i64, rank: usize) -> Result<ArrayType, Error> {
    ArrayType::new(Element::from_number(element)?, slice(dims, rank)?)
}

/// Rejects layouts other than that of our buffers.
fn only_dense(ty: &ArrayType, layout: *const MemoryLayout) -> Result<(), Error> {
    match strides::of_layout(ty, layout)? {
        None => Ok(()),
        Some(strides) => {
            let text = format!("not supported: a buffer of type {ty} with strides {strides:?} in bytes on the device");
            Err(Error::unimplemented(text + "; arrays are row-major"))
        }
    }
}

/// `PJRT_Client_BufferFromHostBuffer`: copies the array, unless the caller lets us use its memory, it has our layout
/// and alignment, and truth values are 0 or 1. NumPy does not guarantee the last: a view of bytes as truth values may
/// have any bytes. JAX's CPU requires the same alignment, so a program that changes the array sees the change in both.
pub fn from_host_buffer(args: &mut ClientBufferFromHostBuffer) -> Result<(), Error> {
    let client = Client::shared(args.client)?;
    client.owns(args.device, args.memory)?;
    let ty = array_type(args.r#type, args.dims, args.num_dims)?;
    only_dense(&ty, args.device_layout)?;
    let given = slice(args.byte_strides, args.num_byte_strides)?;
    let from_strides = match given {
        [] => ty.strides(),
        given => strides::checked(&ty, given)?.to_vec(),
    };
    if args.data.is_null() && ty.bytes() > 0 {
        return Err(Error::invalid(format!("expected a pointer to an array of type {ty}, found null")));
    }
    let may_alias = match args.host_buffer_semantics {
        semantics::IMMUTABLE_ONLY_DURING_CALL | semantics::IMMUTABLE_UNTIL_TRANSFER_COMPLETES => false,
        semantics::IMMUTABLE_ZERO_COPY | semantics::MUTABLE_ZERO_COPY => true,
        other => return Err(Error::invalid(format!("expected semantics of a host buffer from 0 to 3, found {other}"))),
    };
    let is_usable = (args.data as usize).is_multiple_of(ALIGNMENT) && strides::is_dense(&ty, &from_strides);
    // SAFETY: the caller passes a pointer to an array of this type, which has our layout and is not empty.
    let has_values = || unsafe { holds_values(&ty, args.data.cast()) };
    if may_alias && is_usable && ty.bytes() > 0 && has_values() {
        let signal = Arc::<Signal>::default();
        // No semantics allow the caller to change the array, and programs never write their arguments.
        let owner = Owner::Host(signal.clone());
        let storage = Storage::of_host(&client, args.data.cast_mut().cast(), ty.bytes(), owner);
        args.buffer = into_raw(Buffer::new(&client, ty, Content::Data(Arc::new(storage))));
        args.done_with_host_buffer = into_raw(Event::When(signal));
        return Ok(());
    }
    // SAFETY: the caller passes a pointer to the first element of such an array.
    args.buffer = into_raw(unsafe { copy_of(&client, &ty, args.data.cast(), &from_strides) }?);
    args.done_with_host_buffer = Event::ready(Ok(()));
    Ok(())
}

/// Copies an array of the caller. Truth values become 0 or 1.
///
/// # Safety
/// `data` points to the first element of an array of this type with these strides.
unsafe fn copy_of(client: &Arc<Client>, ty: &ArrayType, data: *const u8, strides: &[i64]) -> Result<Buffer, Error> {
    let (buffer, copy) = Buffer::allocate(client, ty)?;
    // SAFETY: as for this function, and `copy` is a new array of the type.
    unsafe { strides::copy(ty, (data, strides), (copy, &ty.strides())) };
    if ty.element == Element::Pred {
        // SAFETY: the array has been copied to `copy`, which nothing else uses yet.
        truth::canonicalize(unsafe { std::slice::from_raw_parts_mut(copy, ty.bytes()) });
    }
    Ok(buffer)
}

/// Checks whether the bytes of an array are values of its type: truth values are 0 or 1, and all bytes are numbers.
///
/// # Safety
/// `data` points to the elements of an array of this type in our layout.
unsafe fn holds_values(ty: &ArrayType, data: *const u8) -> bool {
    if ty.element != Element::Pred {
        return true;
    }
    // SAFETY: as for this function; the size of an element is one byte.
    truth::are_canonical(unsafe { std::slice::from_raw_parts(data, ty.bytes()) })
}

/// `PJRT_Client_CreateUninitializedBuffer`: its elements are zero.
pub fn uninitialized(args: &mut ClientCreateUninitializedBuffer) -> Result<(), Error> {
    let client = Client::shared(args.client)?;
    client.owns(args.device, args.memory)?;
    let ty = array_type(args.shape_element_type, args.shape_dims, args.shape_num_dims)?;
    only_dense(&ty, args.shape_layout)?;
    let (buffer, data) = Buffer::allocate(&client, &ty)?;
    // SAFETY: `data` is a new array of this size.
    unsafe { data.write_bytes(0, ty.bytes()) };
    args.buffer = into_raw(buffer);
    Ok(())
}

/// `PJRT_Client_CreateErrorBuffer`: every use of the buffer fails with the given error.
pub fn with_error(args: &mut ClientCreateErrorBuffer) -> Result<(), Error> {
    let client = Client::shared(args.client)?;
    client.owns(std::ptr::null(), args.memory)?;
    let ty = array_type(args.shape_element_type, args.shape_dims, args.shape_num_dims)?;
    let message = text(args.error_message, args.error_message_size)?.to_string();
    let error = Error { code: args.error_code, message };
    args.buffer = into_raw(Buffer::new(&client, ty, Content::Failed(error)));
    Ok(())
}

/// `PJRT_Client_CreateViewOfDeviceBuffer`: a buffer in memory of the caller, who is called when it is no longer used.
/// Truth values that are neither 0 nor 1 are copied, and the caller is called at once.
pub fn view_of_device_buffer(args: &mut ClientCreateViewOfDeviceBuffer) -> Result<(), Error> {
    let client = Client::shared(args.client)?;
    client.owns(args.device, args.memory)?;
    let ty = array_type(args.element_type, args.dims, args.num_dims)?;
    only_dense(&ty, args.layout)?;
    let mut data: *mut u8 = args.device_buffer_ptr.cast();
    if ty.bytes() == 0 {
        // Nothing is read, so any aligned address serves.
        data = std::ptr::without_provenance_mut(ty.element.alignment());
    }
    if data.is_null() || !(data as usize).is_multiple_of(ty.element.alignment()) {
        let text = format!("expected an array of type {ty} that is aligned as its elements, found address {data:p}");
        return Err(Error::invalid(text));
    }
    let owner = Owner::View { on_delete: args.on_delete_callback, argument: args.on_delete_callback_arg };
    // SAFETY: the caller passes a pointer to an array of this type in our layout.
    if ty.bytes() > 0 && !unsafe { holds_values(&ty, data) } {
        // SAFETY: as above.
        args.buffer = into_raw(unsafe { copy_of(&client, &ty, data, &ty.strides()) }?);
        drop(Storage::of_host(&client, data, ty.bytes(), owner));
        return Ok(());
    }
    let storage = Storage::of_host(&client, data, ty.bytes(), owner);
    args.buffer = into_raw(Buffer::new(&client, ty, Content::Data(Arc::new(storage))));
    Ok(())
}

/// `PJRT_Buffer_Destroy`: frees a buffer, which may be null.
pub fn destroy(args: &mut BufferDestroy) -> Result<(), Error> {
    free::<Buffer>(args.buffer);
    Ok(())
}

/// `PJRT_Buffer_ElementType`.
pub fn element_type(args: &mut BufferElementType) -> Result<(), Error> {
    args.r#type = object::<Buffer>(args.buffer)?.ty.element as c_int;
    Ok(())
}

/// `PJRT_Buffer_Dimensions`.
pub fn dimensions(args: &mut BufferDimensions) -> Result<(), Error> {
    let dims = &object::<Buffer>(args.buffer)?.ty.dims;
    (args.dims, args.num_dims) = (dims.as_ptr(), dims.len());
    Ok(())
}

/// `PJRT_Buffer_UnpaddedDimensions`: there is no padding.
pub fn unpadded_dimensions(args: &mut BufferUnpaddedDimensions) -> Result<(), Error> {
    let dims = &object::<Buffer>(args.buffer)?.ty.dims;
    (args.unpadded_dims, args.num_dims) = (dims.as_ptr(), dims.len());
    Ok(())
}

/// `PJRT_Buffer_DynamicDimensionIndices`: all sizes are known.
pub fn dynamic_dimension_indices(args: &mut BufferDynamicDimensionIndices) -> Result<(), Error> {
    (args.dynamic_dim_indices, args.num_dynamic_dims) = (std::ptr::null(), 0);
    Ok(())
}

/// `PJRT_Buffer_GetMemoryLayout`.
pub fn get_memory_layout(args: &mut BufferGetMemoryLayout) -> Result<(), Error> {
    let Buffer { ty, order, .. } = object::<Buffer>(args.buffer)?;
    let order = order.get_or_init(|| (0..ty.dims.len() as i64).rev().collect());
    let tiled = TiledLayout { minor_to_major: order.as_ptr(), minor_to_major_size: order.len(), ..Default::default() };
    args.layout = MemoryLayout { layout: AnyLayout { tiled }, r#type: layout::TILED, ..Default::default() };
    Ok(())
}

/// `PJRT_Buffer_OnDeviceSizeInBytes`.
pub fn size_in_bytes(args: &mut BufferOnDeviceSizeInBytes) -> Result<(), Error> {
    args.on_device_size_in_bytes = object::<Buffer>(args.buffer)?.ty.bytes();
    Ok(())
}

/// `PJRT_Buffer_Device`.
pub fn device(args: &mut BufferDevice) -> Result<(), Error> {
    args.device = object::<Buffer>(args.buffer)?.client.topology.device.handle();
    Ok(())
}

/// `PJRT_Buffer_Memory`.
pub fn memory(args: &mut BufferMemory) -> Result<(), Error> {
    args.memory = object::<Buffer>(args.buffer)?.client.topology.memory.handle();
    Ok(())
}

/// `PJRT_Buffer_Delete`.
pub fn delete(args: &mut BufferDelete) -> Result<(), Error> {
    object::<Buffer>(args.buffer)?.delete();
    Ok(())
}

/// `PJRT_Buffer_IsDeleted`.
pub fn is_deleted(args: &mut BufferIsDeleted) -> Result<(), Error> {
    args.is_deleted = u8::from(matches!(object::<Buffer>(args.buffer)?.lock().content, Content::Deleted));
    Ok(())
}

/// Copies a buffer to the same memory.
fn copied(
    buffer: &Buffer,
    device: *const opaque::Device,
    memory: *const opaque::Memory,
) -> Result<*mut opaque::Buffer, Error> {
    buffer.client.owns(device, memory)?;
    let storage = buffer.storage()?;
    let (copy, data) = Buffer::allocate(&buffer.client, &buffer.ty)?;
    // SAFETY: both are arrays of this size, and the new one has no other pointer.
    unsafe { std::ptr::copy_nonoverlapping(storage.data, data, buffer.ty.bytes()) };
    Ok(into_raw(copy))
}

/// `PJRT_Buffer_CopyToDevice`.
pub fn copy_to_device(args: &mut BufferCopyToDevice) -> Result<(), Error> {
    args.dst_buffer = copied(object(args.buffer)?, object::<Device>(args.dst_device)?.handle(), std::ptr::null())?;
    Ok(())
}

/// `PJRT_Buffer_CopyToMemory`.
pub fn copy_to_memory(args: &mut BufferCopyToMemory) -> Result<(), Error> {
    args.dst_buffer = copied(object(args.buffer)?, std::ptr::null(), object::<Memory>(args.dst_memory)?.handle())?;
    Ok(())
}

/// `PJRT_Buffer_ToHostBuffer`: copies the array to the caller, in the layout that the caller wants; without a target,
/// returns the size.
pub fn to_host_buffer(args: &mut BufferToHostBuffer) -> Result<(), Error> {
    let buffer = object::<Buffer>(args.src)?;
    let ty = &buffer.ty;
    let to_strides = strides::of_layout(ty, args.host_layout)?.unwrap_or_else(|| ty.strides());
    let needed = strides::span(ty, &to_strides);
    if args.dst.is_null() {
        args.dst_size = needed;
        return Ok(());
    }
    if args.dst_size < needed {
        let text = format!("expected room for {needed} bytes of an array of type {ty}, found {}", args.dst_size);
        return Err(Error::invalid(text));
    }
    let storage = buffer.storage()?;
    // SAFETY: the storage holds an array of this type, and the caller's memory has room for it in its layout.
    unsafe { strides::copy(ty, (storage.data, &ty.strides()), (args.dst.cast(), &to_strides)) };
    args.event = Event::ready(Ok(()));
    Ok(())
}

/// `PJRT_Buffer_CopyRawToHost`: copies a part of the memory of a buffer.
pub fn copy_raw_to_host(args: &mut BufferCopyRawToHost) -> Result<(), Error> {
    let buffer = object::<Buffer>(args.buffer)?;
    let range = usize::try_from(args.offset).ok().zip(usize::try_from(args.transfer_size).ok());
    let range = range.filter(|(at, len)| at.checked_add(*len).is_some_and(|end| end <= buffer.ty.bytes()));
    let Some((at, len)) = range.filter(|(_, len)| *len == 0 || !args.dst.is_null()) else {
        let (bytes, ty) = (buffer.ty.bytes(), &buffer.ty);
        let text = format!("expected a range of the {bytes} bytes of an array of type {ty}, and a target");
        return Err(Error::invalid(format!("{text}, found {} bytes at {}", args.transfer_size, args.offset)));
    };
    let storage = buffer.storage()?;
    if len > 0 {
        // SAFETY: the range is inside the array, and the caller passes a target of that size.
        unsafe { std::ptr::copy_nonoverlapping(storage.data.add(at), args.dst.cast(), len) };
    }
    args.event = Event::ready(Ok(()));
    Ok(())
}

/// `PJRT_Buffer_IsOnCpu`: JAX may read the memory in place.
pub fn is_on_cpu(args: &mut BufferIsOnCpu) -> Result<(), Error> {
    args.is_on_cpu = 1;
    Ok(())
}

/// `PJRT_Buffer_ReadyEvent`.
pub fn ready_event(args: &mut BufferReadyEvent) -> Result<(), Error> {
    args.event = Event::ready(object::<Buffer>(args.buffer)?.storage().map(drop));
    Ok(())
}

/// `PJRT_Buffer_UnsafePointer`.
pub fn unsafe_pointer(args: &mut BufferUnsafePointer) -> Result<(), Error> {
    args.buffer_pointer = object::<Buffer>(args.buffer)?.storage()?.data as usize;
    Ok(())
}

/// `PJRT_Buffer_OpaqueDeviceMemoryDataPointer`.
pub fn data_pointer(args: &mut BufferOpaqueDeviceMemoryDataPointer) -> Result<(), Error> {
    args.device_memory_ptr = object::<Buffer>(args.buffer)?.storage()?.data.cast();
    Ok(())
}

/// `PJRT_Buffer_IncreaseExternalReferenceCount`: another framework uses the memory, also after the buffer is deleted.
pub fn increase_references(args: &mut BufferIncreaseExternalReferenceCount) -> Result<(), Error> {
    let buffer = object::<Buffer>(args.buffer)?;
    let storage = buffer.storage()?;
    let mut state = buffer.lock();
    state.references += 1;
    state.referenced.get_or_insert(storage);
    Ok(())
}

/// `PJRT_Buffer_DecreaseExternalReferenceCount`.
pub fn decrease_references(args: &mut BufferDecreaseExternalReferenceCount) -> Result<(), Error> {
    let mut state = object::<Buffer>(args.buffer)?.lock();
    state.references = state.references.checked_sub(1).ok_or_else(|| {
        Error::new(Code::FailedPrecondition, "expected an external reference to the buffer, found none")
    })?;
    let unused = if state.references == 0 { state.referenced.take() } else { None };
    drop(state);
    drop(unused);
    Ok(())
}
