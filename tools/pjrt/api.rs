//! The structs of the PJRT C API, version 0.90, with the layout that its header gives them.
//!
//! Each struct begins with its size in bytes, as the caller knows it. Fields after `newer` were added after the struct
//! was first published: a caller may be older and leave them out. `bool` fields are `u8` here, because callers need not
//! initialise the fields that a function sets. Objects of the plugin are behind pointers to the types of
//! [`opaque`].
#![allow(unsafe_code)]

use opaque::{Buffer, Client, Device, Error, Event, Executable, Loaded, Memory, Topology};
use std::ffi::{c_char, c_int, c_void};
use std::mem::offset_of;

/// The version of the API that this crate implements.
pub const VERSION: (c_int, c_int) = (0, 90);

/// The objects of the plugin, as C knows them.
pub mod opaque {
    macro_rules! opaque {
        ($($(#[$doc:meta])* $name:ident;)*) => {$(
            $(#[$doc])*
            #[repr(C)]
            pub struct $name([u8; 0]);
        )*};
    }

    opaque! {
        /// `PJRT_Error`.
        Error;
        /// `PJRT_Event`.
        Event;
        /// `PJRT_Client`.
        Client;
        /// `PJRT_Device` and `PJRT_DeviceDescription`.
        Device;
        /// `PJRT_Memory`.
        Memory;
        /// `PJRT_TopologyDescription`.
        Topology;
        /// `PJRT_Buffer`.
        Buffer;
        /// `PJRT_Executable`.
        Executable;
        /// `PJRT_LoadedExecutable`.
        Loaded;
    }
}

/// A struct whose first field is its size.
///
/// # Safety
/// The type has the layout of C, begins with `struct_size`, and is valid if all its bytes are zero.
pub unsafe trait Sized: Copy {
    /// The name of the struct in C.
    const NAME: &'static str;
    /// The size in bytes up to the last field that every caller knows.
    const REQUIRED: usize;
    /// The fields with their offsets.
    const FIELDS: &'static [(&'static str, usize)];
}

/// A function that C calls with a pointer to a buffer and a pointer of its own.
pub type OnDelete = Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>;
/// A function that frees the bytes of a serialised object.
pub type Deleter<T> = Option<unsafe extern "C" fn(*mut T)>;
/// A function that is called when an event is ready. It owns the error.
pub type OnReady = Option<unsafe extern "C" fn(*mut Error, *mut c_void)>;

macro_rules! structs {
    ($(
        $(#[$doc:meta])*
        $name:ident = $c:literal { $($field:ident: $ty:ty),* $(; newer $($new:ident: $newty:ty),*)? }
    )*) => {
        $(
            $(#[$doc])*
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub struct $name {
                pub struct_size: usize,
                pub extension_start: *mut c_void,
                $(pub $field: $ty,)*
                $($(pub $new: $newty,)*)?
            }

            // SAFETY: the layout is that of C, the size comes first, and the fields are numbers, pointers, optional
            // functions, and structs of such fields, which may all be zero.
            unsafe impl Sized for $name {
                const NAME: &'static str = $c;
                const REQUIRED: usize = {
                    const HEADER: usize = size_of::<usize>() + size_of::<*mut c_void>();
                    const ENDS: &[usize] = &[HEADER, $(offset_of!($name, $field) + size_of::<$ty>()),*];
                    ENDS[ENDS.len() - 1]
                };
                const FIELDS: &'static [(&'static str, usize)] = &[
                    $((stringify!($field), offset_of!($name, $field)),)*
                    $($((stringify!($new), offset_of!($name, $new)),)*)?
                ];
            }

            impl Default for $name {
                /// Returns a struct with its size, and zero in all other fields.
                fn default() -> $name {
                    // SAFETY: all bytes may be zero, see [`Sized`].
                    let zero: $name = unsafe { std::mem::zeroed() };
                    $name { struct_size: size_of::<$name>(), ..zero }
                }
            }
        )*

        /// A struct of the API for tests: its name in C, its size, and its fields with their offsets.
        pub type Layout = (&'static str, usize, &'static [(&'static str, usize)]);

        /// The layout of every struct that begins with its size.
        pub const LAYOUTS: &[Layout] = &[$(($c, size_of::<$name>(), <$name as Sized>::FIELDS)),*];
    };
}

structs! {
    /// The version of the API.
    ApiVersion = "PJRT_Api_Version" { major_version: c_int, minor_version: c_int }
    ErrorDestroy = "PJRT_Error_Destroy_Args" { error: *mut Error }
    ErrorMessage = "PJRT_Error_Message_Args" { error: *const Error, message: *const c_char, message_size: usize }
    ErrorGetCode = "PJRT_Error_GetCode_Args" { error: *const Error, code: c_int }
    /// A named value, of one of the kinds in [`value`].
    NamedValue = "PJRT_NamedValue" {
        name: *const c_char, name_size: usize, r#type: c_int, value: Value, value_size: usize
    }
    PluginInitialize = "PJRT_Plugin_Initialize_Args" {}
    PluginAttributes = "PJRT_Plugin_Attributes_Args" { attributes: *const NamedValue, num_attributes: usize }
    EventDestroy = "PJRT_Event_Destroy_Args" { event: *mut Event }
    EventIsReady = "PJRT_Event_IsReady_Args" { event: *mut Event, is_ready: u8 }
    EventError = "PJRT_Event_Error_Args" { event: *mut Event }
    EventAwait = "PJRT_Event_Await_Args" { event: *mut Event }
    EventOnReady = "PJRT_Event_OnReady_Args" { event: *mut Event, callback: OnReady, user_arg: *mut c_void }
    EventCreate = "PJRT_Event_Create_Args" { event: *mut Event }
    EventSet = "PJRT_Event_Set_Args" {
        event: *mut Event, error_code: c_int, error_message: *const c_char, error_message_size: usize
    }
    ClientCreate = "PJRT_Client_Create_Args" {
        create_options: *const NamedValue, num_options: usize, kv_get_callback: *mut c_void,
        kv_get_user_arg: *mut c_void, kv_put_callback: *mut c_void, kv_put_user_arg: *mut c_void,
        client: *const Client;
        newer kv_try_get_callback: *mut c_void, kv_try_get_user_arg: *mut c_void
    }
    ClientDestroy = "PJRT_Client_Destroy_Args" { client: *const Client }
    ClientPlatformName = "PJRT_Client_PlatformName_Args" {
        client: *const Client, platform_name: *const c_char, platform_name_size: usize
    }
    ClientProcessIndex = "PJRT_Client_ProcessIndex_Args" { client: *const Client, process_index: c_int }
    ClientPlatformVersion = "PJRT_Client_PlatformVersion_Args" {
        client: *const Client, platform_version: *const c_char, platform_version_size: usize
    }
    ClientTopologyDescription = "PJRT_Client_TopologyDescription_Args" {
        client: *const Client, topology: *const Topology
    }
    ClientDevices = "PJRT_Client_Devices_Args" {
        client: *const Client, devices: *const *const Device, num_devices: usize
    }
    ClientAddressableDevices = "PJRT_Client_AddressableDevices_Args" {
        client: *const Client, addressable_devices: *const *const Device, num_addressable_devices: usize
    }
    ClientLookupDevice = "PJRT_Client_LookupDevice_Args" { client: *const Client, id: c_int, device: *const Device }
    ClientLookupAddressableDevice = "PJRT_Client_LookupAddressableDevice_Args" {
        client: *const Client, local_hardware_id: c_int, addressable_device: *const Device
    }
    ClientAddressableMemories = "PJRT_Client_AddressableMemories_Args" {
        client: *const Client, addressable_memories: *const *const Memory, num_addressable_memories: usize
    }
    Program = "PJRT_Program" { code: *mut c_char, code_size: usize, format: *const c_char, format_size: usize }
    ClientCompile = "PJRT_Client_Compile_Args" {
        client: *const Client, program: *const Program, compile_options: *const c_char, compile_options_size: usize,
        executable: *mut Loaded
    }
    ClientDefaultDeviceAssignment = "PJRT_Client_DefaultDeviceAssignment_Args" {
        client: *const Client, num_replicas: c_int, num_partitions: c_int, default_assignment_size: usize,
        default_assignment: *mut c_int
    }
    ClientCreateUninitializedBuffer = "PJRT_Client_CreateUninitializedBuffer_Args" {
        client: *const Client, shape_dims: *const i64, shape_num_dims: usize, shape_element_type: c_int,
        shape_layout: *const MemoryLayout, device: *const Device, memory: *const Memory, buffer: *mut Buffer
    }
    ClientCreateErrorBuffer = "PJRT_Client_CreateErrorBuffer_Args" {
        client: *const Client, error_code: c_int, error_message: *const c_char, error_message_size: usize,
        shape_dims: *const i64, shape_num_dims: usize, shape_element_type: c_int, shape_layout: *const MemoryLayout,
        memory: *const Memory, buffer: *mut Buffer
    }
    ClientBufferFromHostBuffer = "PJRT_Client_BufferFromHostBuffer_Args" {
        client: *const Client, data: *const c_void, r#type: c_int, dims: *const i64, num_dims: usize,
        byte_strides: *const i64, num_byte_strides: usize, host_buffer_semantics: c_int, device: *const Device,
        memory: *const Memory, device_layout: *const MemoryLayout, done_with_host_buffer: *mut Event,
        buffer: *mut Buffer
    }
    ClientCreateViewOfDeviceBuffer = "PJRT_Client_CreateViewOfDeviceBuffer_Args" {
        client: *const Client, device_buffer_ptr: *mut c_void, dims: *const i64, num_dims: usize, element_type: c_int,
        layout: *const MemoryLayout, device: *const Device, on_delete_callback: OnDelete,
        on_delete_callback_arg: *mut c_void, stream: isize, buffer: *mut Buffer;
        newer memory: *const Memory
    }
    DeviceDescriptionId = "PJRT_DeviceDescription_Id_Args" { device_description: *const Device, id: c_int }
    DeviceDescriptionProcessIndex = "PJRT_DeviceDescription_ProcessIndex_Args" {
        device_description: *const Device, process_index: c_int
    }
    DeviceDescriptionAttributes = "PJRT_DeviceDescription_Attributes_Args" {
        device_description: *const Device, num_attributes: usize, attributes: *const NamedValue
    }
    DeviceDescriptionKind = "PJRT_DeviceDescription_Kind_Args" {
        device_description: *const Device, device_kind: *const c_char, device_kind_size: usize
    }
    DeviceDescriptionDebugString = "PJRT_DeviceDescription_DebugString_Args" {
        device_description: *const Device, debug_string: *const c_char, debug_string_size: usize
    }
    DeviceDescriptionToString = "PJRT_DeviceDescription_ToString_Args" {
        device_description: *const Device, to_string: *const c_char, to_string_size: usize
    }
    DeviceGetDescription = "PJRT_Device_GetDescription_Args" {
        device: *const Device, device_description: *const Device
    }
    DeviceIsAddressable = "PJRT_Device_IsAddressable_Args" { device: *const Device, is_addressable: u8 }
    DeviceLocalHardwareId = "PJRT_Device_LocalHardwareId_Args" { device: *const Device, local_hardware_id: c_int }
    DeviceAddressableMemories = "PJRT_Device_AddressableMemories_Args" {
        device: *const Device, memories: *const *const Memory, num_memories: usize
    }
    DeviceDefaultMemory = "PJRT_Device_DefaultMemory_Args" { device: *const Device, memory: *const Memory }
    DeviceMemoryStats = "PJRT_Device_MemoryStats_Args" {
        device: *const Device, bytes_in_use: i64, peak_bytes_in_use: i64, peak_bytes_in_use_is_set: u8,
        num_allocs: i64, num_allocs_is_set: u8, largest_alloc_size: i64, largest_alloc_size_is_set: u8,
        bytes_limit: i64, bytes_limit_is_set: u8, bytes_reserved: i64, bytes_reserved_is_set: u8,
        peak_bytes_reserved: i64, peak_bytes_reserved_is_set: u8, bytes_reservable_limit: i64,
        bytes_reservable_limit_is_set: u8, largest_free_block_bytes: i64, largest_free_block_bytes_is_set: u8,
        pool_bytes: i64, pool_bytes_is_set: u8, peak_pool_bytes: i64, peak_pool_bytes_is_set: u8
    }
    MemoryId = "PJRT_Memory_Id_Args" { memory: *const Memory, id: c_int }
    MemoryKind = "PJRT_Memory_Kind_Args" { memory: *const Memory, kind: *const c_char, kind_size: usize }
    MemoryKindId = "PJRT_Memory_Kind_Id_Args" { memory: *const Memory, kind_id: c_int }
    MemoryDebugString = "PJRT_Memory_DebugString_Args" {
        memory: *const Memory, debug_string: *const c_char, debug_string_size: usize
    }
    MemoryToString = "PJRT_Memory_ToString_Args" {
        memory: *const Memory, to_string: *const c_char, to_string_size: usize
    }
    MemoryAddressableByDevices = "PJRT_Memory_AddressableByDevices_Args" {
        memory: *const Memory, devices: *const *const Device, num_devices: usize
    }
    ExecutableDestroy = "PJRT_Executable_Destroy_Args" { executable: *mut Executable }
    LoadedExecutableDestroy = "PJRT_LoadedExecutable_Destroy_Args" { executable: *mut Loaded }
    LoadedExecutableGetExecutable = "PJRT_LoadedExecutable_GetExecutable_Args" {
        loaded_executable: *const Loaded, executable: *mut Executable
    }
    LoadedExecutableGetDeviceAssignment = "PJRT_LoadedExecutable_GetDeviceAssignment_Args" {
        executable: *const Loaded, serialized_bytes: *const c_char, serialized_bytes_size: usize,
        serialized_device_assignment: *mut Vec<u8>, serialized_device_assignment_deleter: Deleter<Vec<u8>>
    }
    ExecutableName = "PJRT_Executable_Name_Args" {
        executable: *const Executable, executable_name: *const c_char, executable_name_size: usize
    }
    ExecutableNumReplicas = "PJRT_Executable_NumReplicas_Args" { executable: *const Executable, num_replicas: usize }
    ExecutableNumPartitions = "PJRT_Executable_NumPartitions_Args" {
        executable: *const Executable, num_partitions: usize
    }
    LoadedExecutableAddressableDevices = "PJRT_LoadedExecutable_AddressableDevices_Args" {
        executable: *const Loaded, addressable_devices: *const *const Device, num_addressable_devices: usize
    }
    LoadedExecutableDelete = "PJRT_LoadedExecutable_Delete_Args" { executable: *const Loaded }
    LoadedExecutableIsDeleted = "PJRT_LoadedExecutable_IsDeleted_Args" { executable: *const Loaded, is_deleted: u8 }
    ExecuteOptions = "PJRT_ExecuteOptions" {
        send_callbacks: *mut c_void, recv_callbacks: *mut c_void, num_send_ops: usize, num_recv_ops: usize,
        launch_id: c_int, non_donatable_input_indices: *const i64, num_non_donatable_input_indices: usize;
        newer context: *mut c_void, call_location: *const c_char, num_tasks: usize, task_ids: *mut c_int,
        incarnation_ids: *mut i64
    }
    LoadedExecutableExecute = "PJRT_LoadedExecutable_Execute_Args" {
        executable: *const Loaded, options: *const ExecuteOptions, argument_lists: *const *const *const Buffer,
        num_devices: usize, num_args: usize, output_lists: *const *mut *mut Buffer,
        device_complete_events: *mut *mut Event, execute_device: *const Device
    }
    ExecutableNumOutputs = "PJRT_Executable_NumOutputs_Args" { executable: *const Executable, num_outputs: usize }
    ExecutableSizeOfGeneratedCodeInBytes = "PJRT_Executable_SizeOfGeneratedCodeInBytes_Args" {
        executable: *const Executable, size_in_bytes: i64
    }
    ExecutableFingerprint = "PJRT_Executable_Fingerprint_Args" {
        executable: *const Executable, executable_fingerprint: *const c_char, executable_fingerprint_size: usize
    }
    ExecutableGetCostAnalysis = "PJRT_Executable_GetCostAnalysis_Args" {
        executable: *const Executable, num_properties: usize, properties: *const NamedValue
    }
    ExecutableGetCompiledMemoryStats = "PJRT_Executable_GetCompiledMemoryStats_Args" {
        executable: *const Executable, generated_code_size_in_bytes: i64, argument_size_in_bytes: i64,
        output_size_in_bytes: i64, alias_size_in_bytes: i64, temp_size_in_bytes: i64;
        newer host_generated_code_size_in_bytes: i64, host_argument_size_in_bytes: i64,
        host_output_size_in_bytes: i64, host_alias_size_in_bytes: i64, host_temp_size_in_bytes: i64,
        peak_memory_in_bytes: i64, total_size_in_bytes: i64
    }
    ExecutableOutputElementTypes = "PJRT_Executable_OutputElementTypes_Args" {
        executable: *const Executable, output_types: *const c_int, num_output_types: usize
    }
    ExecutableOutputDimensions = "PJRT_Executable_OutputDimensions_Args" {
        executable: *const Executable, num_outputs: usize, dims: *const i64, dim_sizes: *const usize
    }
    ExecutableOutputMemoryKinds = "PJRT_Executable_OutputMemoryKinds_Args" {
        executable: *const Executable, num_outputs: usize, memory_kinds: *const *const c_char,
        memory_kind_sizes: *const usize
    }
    ExecutableSerialize = "PJRT_Executable_Serialize_Args" {
        executable: *const Executable, serialized_bytes: *const c_char, serialized_bytes_size: usize,
        serialized_executable: *mut Vec<u8>, serialized_executable_deleter: Deleter<Vec<u8>>
    }
    ExecutableGetCompileOptions = "PJRT_Executable_GetCompileOptions_Args" {
        executable: *const Executable, serialized_bytes: *const c_char, serialized_bytes_size: usize,
        serialized_compile_options: *mut Vec<u8>, serialized_compile_options_deleter: Deleter<Vec<u8>>
    }
    ExecutableDeserializeAndLoad = "PJRT_Executable_DeserializeAndLoad_Args" {
        client: *const Client, serialized_executable: *const c_char, serialized_executable_size: usize,
        loaded_executable: *mut Loaded;
        newer overridden_serialized_compile_options: *const c_char,
        overridden_serialized_compile_options_size: usize
    }
    LoadedExecutableFingerprint = "PJRT_LoadedExecutable_Fingerprint_Args" {
        executable: *const Loaded, executable_fingerprint: *const c_char, executable_fingerprint_size: usize
    }
    BufferDestroy = "PJRT_Buffer_Destroy_Args" { buffer: *mut Buffer }
    BufferElementType = "PJRT_Buffer_ElementType_Args" { buffer: *const Buffer, r#type: c_int }
    BufferDimensions = "PJRT_Buffer_Dimensions_Args" { buffer: *const Buffer, dims: *const i64, num_dims: usize }
    BufferUnpaddedDimensions = "PJRT_Buffer_UnpaddedDimensions_Args" {
        buffer: *const Buffer, unpadded_dims: *const i64, num_dims: usize
    }
    BufferDynamicDimensionIndices = "PJRT_Buffer_DynamicDimensionIndices_Args" {
        buffer: *const Buffer, dynamic_dim_indices: *const usize, num_dynamic_dims: usize
    }
    /// The order of the axes in memory.
    TiledLayout = "PJRT_Buffer_MemoryLayout_Tiled" {
        minor_to_major: *const i64, minor_to_major_size: usize, tile_dims: *const i64, tile_dim_sizes: *const usize,
        num_tiles: usize
    }
    /// The distances of neighbours in bytes, for each axis.
    StridesLayout = "PJRT_Buffer_MemoryLayout_Strides" { byte_strides: *const i64, num_byte_strides: usize }
    /// A layout, whose type is one of [`layout`].
    MemoryLayout = "PJRT_Buffer_MemoryLayout" { layout: AnyLayout, r#type: c_int }
    BufferGetMemoryLayout = "PJRT_Buffer_GetMemoryLayout_Args" { buffer: *const Buffer, layout: MemoryLayout }
    BufferToHostBuffer = "PJRT_Buffer_ToHostBuffer_Args" {
        src: *const Buffer, host_layout: *const MemoryLayout, dst: *mut c_void, dst_size: usize, event: *mut Event
    }
    BufferOnDeviceSizeInBytes = "PJRT_Buffer_OnDeviceSizeInBytes_Args" {
        buffer: *const Buffer, on_device_size_in_bytes: usize
    }
    BufferDelete = "PJRT_Buffer_Delete_Args" { buffer: *const Buffer }
    BufferIsDeleted = "PJRT_Buffer_IsDeleted_Args" { buffer: *const Buffer, is_deleted: u8 }
    BufferCopyRawToHost = "PJRT_Buffer_CopyRawToHost_Args" {
        buffer: *const Buffer, dst: *mut c_void, offset: i64, transfer_size: i64, event: *mut Event
    }
    BufferCopyToDevice = "PJRT_Buffer_CopyToDevice_Args" {
        buffer: *const Buffer, dst_device: *const Device, dst_buffer: *mut Buffer
    }
    BufferCopyToMemory = "PJRT_Buffer_CopyToMemory_Args" {
        buffer: *const Buffer, dst_memory: *const Memory, dst_buffer: *mut Buffer
    }
    BufferIsOnCpu = "PJRT_Buffer_IsOnCpu_Args" { buffer: *const Buffer, is_on_cpu: u8 }
    BufferDevice = "PJRT_Buffer_Device_Args" { buffer: *const Buffer, device: *const Device }
    BufferMemory = "PJRT_Buffer_Memory_Args" { buffer: *const Buffer, memory: *const Memory }
    BufferReadyEvent = "PJRT_Buffer_ReadyEvent_Args" { buffer: *const Buffer, event: *mut Event }
    BufferUnsafePointer = "PJRT_Buffer_UnsafePointer_Args" { buffer: *const Buffer, buffer_pointer: usize }
    BufferIncreaseExternalReferenceCount = "PJRT_Buffer_IncreaseExternalReferenceCount_Args" { buffer: *const Buffer }
    BufferDecreaseExternalReferenceCount = "PJRT_Buffer_DecreaseExternalReferenceCount_Args" { buffer: *const Buffer }
    BufferOpaqueDeviceMemoryDataPointer = "PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args" {
        buffer: *const Buffer, device_memory_ptr: *mut c_void
    }
    TopologyDescriptionCreate = "PJRT_TopologyDescription_Create_Args" {
        topology_name: *const c_char, topology_name_size: usize, create_options: *const NamedValue,
        num_options: usize, topology: *const Topology
    }
    TopologyDescriptionDestroy = "PJRT_TopologyDescription_Destroy_Args" { topology: *const Topology }
    TopologyDescriptionPlatformVersion = "PJRT_TopologyDescription_PlatformVersion_Args" {
        topology: *const Topology, platform_version: *const c_char, platform_version_size: usize
    }
    TopologyDescriptionPlatformName = "PJRT_TopologyDescription_PlatformName_Args" {
        topology: *const Topology, platform_name: *const c_char, platform_name_size: usize
    }
    TopologyDescriptionGetDeviceDescriptions = "PJRT_TopologyDescription_GetDeviceDescriptions_Args" {
        topology: *const Topology, descriptions: *const *const Device, num_descriptions: usize
    }
    TopologyDescriptionSerialize = "PJRT_TopologyDescription_Serialize_Args" {
        topology: *const Topology, serialized_bytes: *const c_char, serialized_bytes_size: usize,
        serialized_topology: *mut Vec<u8>, serialized_topology_deleter: Deleter<Vec<u8>>
    }
    TopologyDescriptionAttributes = "PJRT_TopologyDescription_Attributes_Args" {
        topology: *const Topology, attributes: *const NamedValue, num_attributes: usize
    }
}

/// The value of a [`NamedValue`]; its `type` selects the field.
#[repr(C)]
#[derive(Clone, Copy)]
pub union Value {
    pub string: *const c_char,
    pub int64: i64,
    pub int64_list: *const i64,
    pub float: f32,
    pub bool: u8,
}

/// A layout; [`MemoryLayout`] selects the field.
#[repr(C)]
#[derive(Clone, Copy)]
pub union AnyLayout {
    pub tiled: TiledLayout,
    pub strides: StridesLayout,
}

/// The kinds of a [`NamedValue`].
pub mod value {
    use std::ffi::c_int;

    pub const STRING: c_int = 0;
    pub const INT64: c_int = 1;
    pub const INT64_LIST: c_int = 2;
    pub const FLOAT: c_int = 3;
    pub const BOOL: c_int = 4;
}

/// The types of a [`MemoryLayout`].
pub mod layout {
    use std::ffi::c_int;

    pub const TILED: c_int = 0;
    pub const STRIDES: c_int = 1;
}

/// The time for which the data of a host buffer stays unchanged.
pub mod semantics {
    use std::ffi::c_int;

    pub const IMMUTABLE_ONLY_DURING_CALL: c_int = 0;
    pub const IMMUTABLE_UNTIL_TRANSFER_COMPLETES: c_int = 1;
    pub const IMMUTABLE_ZERO_COPY: c_int = 2;
    pub const MUTABLE_ZERO_COPY: c_int = 3;
}
