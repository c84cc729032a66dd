//! The table of C functions. Each entry copies the caller's struct, calls a Rust function and copies the struct back,
//! so that callers with older, shorter structs are safe: fields that they lack are zero.
#![allow(unsafe_code)]

use crate::api::{self, ApiVersion, opaque};
use crate::error::Error;
use crate::pointers::{read, write};
use crate::{buffers, client, errors, events, executables};
use mlopt_dialects::bridge::crash::silently;
use std::ffi::c_void;

/// An entry of the table.
pub type Entry = unsafe extern "C" fn(*mut c_void) -> *mut opaque::Error;

macro_rules! table {
    ($($name:ident $(= $function:path)?,)*) => {
        /// The names of the functions, in the order of the table.
        pub const NAMES: &[&str] = &[$(concat!("PJRT_", stringify!($name))),*];

        static API: Api = Api {
            struct_size: size_of::<Api>(),
            extension_start: std::ptr::null_mut(),
            version: ApiVersion {
                struct_size: size_of::<ApiVersion>(),
                extension_start: std::ptr::null_mut(),
                major_version: api::VERSION.0,
                minor_version: api::VERSION.1,
            },
            functions: [$({
                unsafe extern "C" fn entry(args: *mut c_void) -> *mut opaque::Error {
                    entry!(concat!("PJRT_", stringify!($name)), args $(, $function)?)
                }
                entry
            }),*],
        };
    };
}

macro_rules! entry {
    ($name:expr, $args:ident) => {{
        let _unread = $args;
        unimplemented($name)
    }};
    ($name:expr, $args:ident, $function:path) => {
        // SAFETY: the caller passes the struct of this function.
        unsafe { enter($name, $args, $function) }
    };
}

/// The struct `PJRT_Api`. Its function pointers are an array here.
#[repr(C)]
pub struct Api {
    pub struct_size: usize,
    pub extension_start: *mut c_void,
    pub version: ApiVersion,
    pub functions: [Entry; NAMES.len()],
}

// SAFETY: the table does not change, and its pointers to extensions are null.
unsafe impl Sync for Api {}

/// Returns the table of functions, which lives as long as the process.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "JAX looks up this name")]
pub extern "C" fn GetPjrtApi() -> *const Api {
    &API
}

fn unimplemented(name: &str) -> *mut opaque::Error {
    errors::into_raw(Err(Error::unimplemented(format!("{name} is not implemented by mlopt"))))
}

/// Calls `function` with a copy of the struct at `args`, and copies it back.
///
/// # Safety
/// `args` points to a struct of the type `A`, or a prefix of it, of as many bytes as its `struct_size` says.
unsafe fn enter<A: api::Sized>(
    name: &str,
    args: *mut c_void,
    function: fn(&mut A) -> Result<(), Error>,
) -> *mut opaque::Error {
    let call = || {
        let mut copy = read::<A>(args.cast())?;
        function(&mut copy)?;
        // SAFETY: `read` has accepted the struct.
        unsafe { write(args.cast(), &copy) };
        Ok(())
    };
    let outcome =
        silently(call).unwrap_or_else(|panic| Err(Error::internal(format!("internal error: {panic} in {name}"))));
    errors::into_raw(outcome)
}

table! {
    Error_Destroy = errors::destroy,
    Error_Message = errors::message,
    Error_GetCode = errors::get_code,
    Plugin_Initialize = client::plugin_initialize,
    Plugin_Attributes = client::plugin_attributes,
    Event_Destroy = events::destroy,
    Event_IsReady = events::is_ready,
    Event_Error = events::error,
    Event_Await = events::wait,
    Event_OnReady = events::on_ready,
    Client_Create = client::create,
    Client_Destroy = client::destroy,
    Client_PlatformName = client::platform_name,
    Client_ProcessIndex = client::process_index,
    Client_PlatformVersion = client::platform_version,
    Client_Devices = client::devices,
    Client_AddressableDevices = client::addressable_devices,
    Client_LookupDevice = client::lookup_device,
    Client_LookupAddressableDevice = client::lookup_addressable_device,
    Client_AddressableMemories = client::addressable_memories,
    Client_Compile = executables::compile,
    Client_DefaultDeviceAssignment = client::default_device_assignment,
    Client_BufferFromHostBuffer = buffers::from_host_buffer,
    DeviceDescription_Id = client::description_id,
    DeviceDescription_ProcessIndex = client::description_process_index,
    DeviceDescription_Attributes = client::description_attributes,
    DeviceDescription_Kind = client::description_kind,
    DeviceDescription_DebugString = client::description_debug_string,
    DeviceDescription_ToString = client::description_to_string,
    Device_GetDescription = client::device_description,
    Device_IsAddressable = client::device_is_addressable,
    Device_LocalHardwareId = client::device_local_hardware_id,
    Device_AddressableMemories = client::device_memories,
    Device_DefaultMemory = client::device_default_memory,
    Device_MemoryStats = client::device_memory_stats,
    Memory_Id = client::memory_id,
    Memory_Kind = client::memory_kind,
    Memory_DebugString = client::memory_debug_string,
    Memory_ToString = client::memory_to_string,
    Memory_AddressableByDevices = client::memory_devices,
    Executable_Destroy = executables::destroy,
    Executable_Name = executables::name,
    Executable_NumReplicas = executables::num_replicas,
    Executable_NumPartitions = executables::num_partitions,
    Executable_NumOutputs = executables::num_outputs,
    Executable_SizeOfGeneratedCodeInBytes = executables::code_size,
    Executable_GetCostAnalysis = executables::cost_analysis,
    Executable_OutputMemoryKinds = executables::output_memory_kinds,
    Executable_OptimizedProgram,
    Executable_Serialize = executables::serialize,
    LoadedExecutable_Destroy = executables::destroy_loaded,
    LoadedExecutable_GetExecutable = executables::get_executable,
    LoadedExecutable_AddressableDevices = executables::addressable_devices,
    LoadedExecutable_Delete = executables::delete,
    LoadedExecutable_IsDeleted = executables::is_deleted,
    LoadedExecutable_Execute = executables::execute,
    Executable_DeserializeAndLoad = executables::deserialize_and_load,
    LoadedExecutable_Fingerprint = executables::loaded_fingerprint,
    Buffer_Destroy = buffers::destroy,
    Buffer_ElementType = buffers::element_type,
    Buffer_Dimensions = buffers::dimensions,
    Buffer_UnpaddedDimensions = buffers::unpadded_dimensions,
    Buffer_DynamicDimensionIndices = buffers::dynamic_dimension_indices,
    Buffer_GetMemoryLayout = buffers::get_memory_layout,
    Buffer_OnDeviceSizeInBytes = buffers::size_in_bytes,
    Buffer_Device = buffers::device,
    Buffer_Memory = buffers::memory,
    Buffer_Delete = buffers::delete,
    Buffer_IsDeleted = buffers::is_deleted,
    Buffer_CopyToDevice = buffers::copy_to_device,
    Buffer_ToHostBuffer = buffers::to_host_buffer,
    Buffer_IsOnCpu = buffers::is_on_cpu,
    Buffer_ReadyEvent = buffers::ready_event,
    Buffer_UnsafePointer = buffers::unsafe_pointer,
    Buffer_IncreaseExternalReferenceCount = buffers::increase_references,
    Buffer_DecreaseExternalReferenceCount = buffers::decrease_references,
    Buffer_OpaqueDeviceMemoryDataPointer = buffers::data_pointer,
    CopyToDeviceStream_Destroy,
    CopyToDeviceStream_AddChunk,
    CopyToDeviceStream_TotalBytes,
    CopyToDeviceStream_GranuleSize,
    CopyToDeviceStream_CurrentBytes,
    TopologyDescription_Create = client::topology_create,
    TopologyDescription_Destroy = client::topology_destroy,
    TopologyDescription_PlatformName = client::topology_platform_name,
    TopologyDescription_PlatformVersion = client::topology_platform_version,
    TopologyDescription_GetDeviceDescriptions = client::topology_descriptions,
    TopologyDescription_Serialize = client::topology_serialize,
    TopologyDescription_Attributes = client::topology_attributes,
    Compile,
    Executable_OutputElementTypes = executables::output_element_types,
    Executable_OutputDimensions = executables::output_dimensions,
    Buffer_CopyToMemory = buffers::copy_to_memory,
    Client_CreateViewOfDeviceBuffer = buffers::view_of_device_buffer,
    Executable_Fingerprint = executables::fingerprint,
    Client_TopologyDescription = client::topology,
    Executable_GetCompiledMemoryStats = executables::memory_stats,
    Memory_Kind_Id = client::memory_kind_id,
    ExecuteContext_Create,
    ExecuteContext_Destroy,
    Buffer_CopyRawToHost = buffers::copy_raw_to_host,
    AsyncHostToDeviceTransferManager_Destroy,
    AsyncHostToDeviceTransferManager_TransferData,
    Client_CreateBuffersForAsyncHostToDevice,
    AsyncHostToDeviceTransferManager_RetrieveBuffer,
    AsyncHostToDeviceTransferManager_Device,
    AsyncHostToDeviceTransferManager_BufferCount,
    AsyncHostToDeviceTransferManager_BufferSize,
    AsyncHostToDeviceTransferManager_SetBufferError,
    AsyncHostToDeviceTransferManager_AddMetadata,
    Client_DmaMap,
    Client_DmaUnmap,
    Client_CreateUninitializedBuffer = buffers::uninitialized,
    Client_UpdateGlobalProcessInfo,
    TopologyDescription_Deserialize,
    Client_CreateAliasBuffer,
    Client_FulfillAliasBuffer,
    LoadedExecutable_GetDeviceAssignment = executables::device_assignment,
    Client_CreateErrorBuffer = buffers::with_error,
    AsyncHostToDeviceTransferManager_TransferLiteral,
    Buffer_CopyRawToHostFuture,
    Device_PoisonExecution,
    Device_CreateAsyncTrackingEvent,
    AsyncTrackingEvent_Destroy,
    Executable_GetCompileOptions = executables::compile_options,
    Buffer_DonateWithControlDependency,
    Event_Create = events::create,
    Event_Set = events::set,
}
