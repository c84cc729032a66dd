//! The client with its one device and one memory, and the attributes of the plugin.
#![allow(unsafe_code)]

use crate::api::*;
use crate::compiler::Compiler;
use crate::error::{Code, Error};
use crate::pointers::{Object, free, give, object, slice, text};
use std::ffi::{c_char, c_int};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The name of the platform, under which JAX knows the plugin.
pub const PLATFORM: &str = "mlopt";

/// The version of StableHLO in which programs arrive: JAX translates them down to it, so that the reader need not
/// follow every release. It must be one that `mlopt-stablehlo` reads.
pub const STABLEHLO: [i64; 3] = [1, 17, 0];
/// The oldest version of StableHLO that `mlopt-stablehlo` reads.
pub const OLDEST_STABLEHLO: [i64; 3] = [0, 9, 0];
/// The version of XLA's extensions of the API, which JAX compares with what it needs.
const XLA_VERSION: i64 = 2;

/// The one device of a client, and its description.
pub struct Device {
    kind: String,
    memories: [*const opaque::Memory; 1],
    pub statistics: Statistics,
}

/// The memory of the process.
pub struct Memory {
    devices: [*const opaque::Device; 1],
}

/// The device and its memory, with pointers to each other. The topology of the API.
pub struct Topology {
    pub device: Device,
    pub memory: Memory,
    devices: [*const opaque::Device; 1],
    memories: [*const opaque::Memory; 1],
    version: String,
}

// SAFETY: pointers to devices are from `Device::handle`.
unsafe impl Object for Device {
    type Opaque = opaque::Device;
    const KIND: &'static str = "a device";
}

impl Device {
    /// Returns the pointer for C, which does not own the device.
    pub fn handle(&self) -> *const opaque::Device {
        (&raw const *self).cast()
    }
}

// SAFETY: pointers to memories are from `Memory::handle`.
unsafe impl Object for Memory {
    type Opaque = opaque::Memory;
    const KIND: &'static str = "a memory";
}

impl Memory {
    /// Returns the pointer for C, which does not own the memory.
    pub fn handle(&self) -> *const opaque::Memory {
        (&raw const *self).cast()
    }
}

// SAFETY: pointers to topologies are those of boxes.
unsafe impl Object for Topology {
    type Opaque = opaque::Topology;
    const KIND: &'static str = "a topology";
}

impl Topology {
    /// Returns a topology in a box, because its parts have pointers to each other.
    fn new(compiler: &dyn Compiler) -> Box<Topology> {
        let none = (std::ptr::null(), std::ptr::null());
        let mut new = Box::new(Topology {
            device: Device { kind: compiler.device(), memories: [none.1], statistics: Statistics::default() },
            memory: Memory { devices: [none.0] },
            devices: [none.0],
            memories: [none.1],
            version: compiler.version(),
        });
        let (device, memory) = (new.device.handle(), new.memory.handle());
        (new.devices, new.memories) = ([device], [memory]);
        (new.device.memories, new.memory.devices) = ([memory], [device]);
        new
    }
}

/// The numbers of bytes of the buffers of a client.
#[derive(Default)]
pub struct Statistics {
    bytes: AtomicI64,
    peak: AtomicI64,
    allocations: AtomicI64,
    largest: AtomicI64,
}

impl Statistics {
    /// Counts memory that has been allocated.
    pub fn add(&self, bytes: usize) {
        let bytes = bytes as i64;
        let now = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
        self.largest.fetch_max(bytes, Ordering::Relaxed);
        self.allocations.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts memory that has been freed.
    pub fn remove(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes as i64, Ordering::Relaxed);
    }
}

/// A client. Buffers and executables keep it alive.
pub struct Client {
    pub topology: Box<Topology>,
    pub compiler: Box<dyn Compiler>,
}

// SAFETY: the pointers in the topology refer to other parts of it and do not change; the compiler may be shared.
unsafe impl Send for Client {}
// SAFETY: as above.
unsafe impl Sync for Client {}

// SAFETY: pointers to clients are from `Client::create`.
unsafe impl Object for Client {
    type Opaque = opaque::Client;
    const KIND: &'static str = "a client";
}

impl Client {
    /// Returns an owned pointer for C to a client that compiles with `compiler`.
    pub fn create(compiler: Box<dyn Compiler>) -> *const opaque::Client {
        Arc::into_raw(Arc::new(Client { topology: Topology::new(&*compiler), compiler })).cast()
    }

    /// Returns shared ownership of a client of the caller.
    pub(crate) fn shared(pointer: *const opaque::Client) -> Result<Arc<Client>, Error> {
        let pointer: *const Client = object::<Client>(pointer)?;
        // SAFETY: the pointer is from `create`, and the caller has not destroyed the client.
        unsafe {
            Arc::increment_strong_count(pointer);
            Ok(Arc::from_raw(pointer))
        }
    }

    /// Checks that a device and a memory of the caller are null or those of this client.
    pub(crate) fn owns(&self, device: *const opaque::Device, memory: *const opaque::Memory) -> Result<(), Error> {
        let is_known = (device.is_null() || device == self.topology.device.handle())
            && (memory.is_null() || memory == self.topology.memory.handle());
        if is_known {
            Ok(())
        } else {
            Err(Error::invalid("expected the device or memory of this client, found another"))
        }
    }
}

fn set_text(text: &str, pointer: &mut *const c_char, size: &mut usize) -> Result<(), Error> {
    (*pointer, *size) = (text.as_ptr().cast(), text.len());
    Ok(())
}

/// Checks that the number of a device is that of the only one.
fn only_device(id: c_int) -> Result<(), Error> {
    if id == 0 {
        Ok(())
    } else {
        Err(Error::new(Code::NotFound, format!("expected device 0, the only one, found {id}")))
    }
}

/// `PJRT_Plugin_Initialize`: there is nothing to do.
pub fn plugin_initialize(_: &mut PluginInitialize) -> Result<(), Error> {
    Ok(())
}

/// A list of named values that lives as long as the process.
struct Attributes([NamedValue; 3]);

// SAFETY: the values point to constants.
unsafe impl Sync for Attributes {}

static ATTRIBUTES: Attributes = {
    const fn named(name: &'static str, r#type: c_int, value: Value, value_size: usize) -> NamedValue {
        NamedValue {
            struct_size: size_of::<NamedValue>(),
            extension_start: std::ptr::null_mut(),
            name: name.as_ptr().cast(),
            name_size: name.len(),
            r#type,
            value,
            value_size,
        }
    }
    static CURRENT: [i64; 3] = STABLEHLO;
    static MINIMUM: [i64; 3] = OLDEST_STABLEHLO;
    Attributes([
        named("xla_version", value::INT64, Value { int64: XLA_VERSION }, 1),
        named("stablehlo_current_version", value::INT64_LIST, Value { int64_list: CURRENT.as_ptr() }, CURRENT.len()),
        named("stablehlo_minimum_version", value::INT64_LIST, Value { int64_list: MINIMUM.as_ptr() }, MINIMUM.len()),
    ])
};

/// `PJRT_Plugin_Attributes`: the versions of StableHLO.
pub fn plugin_attributes(args: &mut PluginAttributes) -> Result<(), Error> {
    (args.attributes, args.num_attributes) = (ATTRIBUTES.0.as_ptr(), ATTRIBUTES.0.len());
    Ok(())
}

/// Rejects options, of which there are none.
fn no_options(options: *const NamedValue, count: usize) -> Result<(), Error> {
    match slice(options, count)? {
        [] => Ok(()),
        [first, ..] => {
            let name = text(first.name, first.name_size)?;
            Err(Error::invalid(format!("expected no options for the platform {PLATFORM}, found `{name}`")))
        }
    }
}

/// `PJRT_Client_Create`.
pub fn create(args: &mut ClientCreate) -> Result<(), Error> {
    no_options(args.create_options, args.num_options)?;
    args.client = Client::create(Box::new(crate::native::Native::new()?));
    Ok(())
}

/// `PJRT_Client_Destroy`: frees the client, which may be null, after its last buffer and executable.
pub fn destroy(args: &mut ClientDestroy) -> Result<(), Error> {
    if !args.client.is_null() {
        // SAFETY: the pointer is from `Client::create`, and the caller gives up its ownership.
        drop(unsafe { Arc::from_raw(args.client.cast::<Client>()) });
    }
    Ok(())
}

/// `PJRT_Client_PlatformName`.
pub fn platform_name(args: &mut ClientPlatformName) -> Result<(), Error> {
    set_text(PLATFORM, &mut args.platform_name, &mut args.platform_name_size)
}

/// `PJRT_Client_ProcessIndex`.
pub fn process_index(args: &mut ClientProcessIndex) -> Result<(), Error> {
    args.process_index = 0;
    Ok(())
}

/// `PJRT_Client_PlatformVersion`: JAX's cache of compiled programs has it in its keys.
pub fn platform_version(args: &mut ClientPlatformVersion) -> Result<(), Error> {
    let client = object::<Client>(args.client)?;
    set_text(&client.topology.version, &mut args.platform_version, &mut args.platform_version_size)
}

/// `PJRT_Client_TopologyDescription`.
pub fn topology(args: &mut ClientTopologyDescription) -> Result<(), Error> {
    args.topology = (&raw const *object::<Client>(args.client)?.topology).cast();
    Ok(())
}

/// `PJRT_Client_Devices`.
pub fn devices(args: &mut ClientDevices) -> Result<(), Error> {
    let devices = &object::<Client>(args.client)?.topology.devices;
    (args.devices, args.num_devices) = (devices.as_ptr(), devices.len());
    Ok(())
}

/// `PJRT_Client_AddressableDevices`.
pub fn addressable_devices(args: &mut ClientAddressableDevices) -> Result<(), Error> {
    let devices = &object::<Client>(args.client)?.topology.devices;
    (args.addressable_devices, args.num_addressable_devices) = (devices.as_ptr(), devices.len());
    Ok(())
}

/// `PJRT_Client_LookupDevice`.
pub fn lookup_device(args: &mut ClientLookupDevice) -> Result<(), Error> {
    only_device(args.id)?;
    args.device = object::<Client>(args.client)?.topology.device.handle();
    Ok(())
}

/// `PJRT_Client_LookupAddressableDevice`.
pub fn lookup_addressable_device(args: &mut ClientLookupAddressableDevice) -> Result<(), Error> {
    only_device(args.local_hardware_id)?;
    args.addressable_device = object::<Client>(args.client)?.topology.device.handle();
    Ok(())
}

/// `PJRT_Client_AddressableMemories`.
pub fn addressable_memories(args: &mut ClientAddressableMemories) -> Result<(), Error> {
    let memories = &object::<Client>(args.client)?.topology.memories;
    (args.addressable_memories, args.num_addressable_memories) = (memories.as_ptr(), memories.len());
    Ok(())
}

/// `PJRT_Client_DefaultDeviceAssignment`.
pub fn default_device_assignment(args: &mut ClientDefaultDeviceAssignment) -> Result<(), Error> {
    let (replicas, partitions) = (args.num_replicas, args.num_partitions);
    if (replicas, partitions) != (1, 1) {
        let text = format!("not supported: {replicas} replicas and {partitions} partitions; there is one device");
        return Err(Error::unimplemented(text));
    }
    if args.default_assignment_size < 1 || args.default_assignment.is_null() {
        return Err(Error::invalid("expected room for the number of one device, found none"));
    }
    // SAFETY: the caller passes an array of that size.
    unsafe { args.default_assignment.write(0) };
    Ok(())
}

/// `PJRT_DeviceDescription_Id`.
pub fn description_id(args: &mut DeviceDescriptionId) -> Result<(), Error> {
    args.id = 0;
    Ok(())
}

/// `PJRT_DeviceDescription_ProcessIndex`.
pub fn description_process_index(args: &mut DeviceDescriptionProcessIndex) -> Result<(), Error> {
    args.process_index = 0;
    Ok(())
}

/// `PJRT_DeviceDescription_Attributes`: there are none.
pub fn description_attributes(args: &mut DeviceDescriptionAttributes) -> Result<(), Error> {
    (args.attributes, args.num_attributes) = (std::ptr::null(), 0);
    Ok(())
}

/// `PJRT_DeviceDescription_Kind`.
pub fn description_kind(args: &mut DeviceDescriptionKind) -> Result<(), Error> {
    let device = object::<Device>(args.device_description)?;
    set_text(&device.kind, &mut args.device_kind, &mut args.device_kind_size)
}

/// `PJRT_DeviceDescription_DebugString`.
pub fn description_debug_string(args: &mut DeviceDescriptionDebugString) -> Result<(), Error> {
    set_text("mlopt:0", &mut args.debug_string, &mut args.debug_string_size)
}

/// `PJRT_DeviceDescription_ToString`.
pub fn description_to_string(args: &mut DeviceDescriptionToString) -> Result<(), Error> {
    set_text("MloptDevice(id=0)", &mut args.to_string, &mut args.to_string_size)
}

/// `PJRT_Device_GetDescription`.
pub fn device_description(args: &mut DeviceGetDescription) -> Result<(), Error> {
    args.device_description = object::<Device>(args.device)?.handle();
    Ok(())
}

/// `PJRT_Device_IsAddressable`.
pub fn device_is_addressable(args: &mut DeviceIsAddressable) -> Result<(), Error> {
    args.is_addressable = 1;
    Ok(())
}

/// `PJRT_Device_LocalHardwareId`.
pub fn device_local_hardware_id(args: &mut DeviceLocalHardwareId) -> Result<(), Error> {
    args.local_hardware_id = 0;
    Ok(())
}

/// `PJRT_Device_AddressableMemories`.
pub fn device_memories(args: &mut DeviceAddressableMemories) -> Result<(), Error> {
    let memories = &object::<Device>(args.device)?.memories;
    (args.memories, args.num_memories) = (memories.as_ptr(), memories.len());
    Ok(())
}

/// `PJRT_Device_DefaultMemory`.
pub fn device_default_memory(args: &mut DeviceDefaultMemory) -> Result<(), Error> {
    [args.memory] = object::<Device>(args.device)?.memories;
    Ok(())
}

/// `PJRT_Device_MemoryStats`: the memory of buffers, without scratch memory and code.
pub fn device_memory_stats(args: &mut DeviceMemoryStats) -> Result<(), Error> {
    let statistics = &object::<Device>(args.device)?.statistics;
    // The caller does not initialise the fields that are not set here.
    *args = DeviceMemoryStats { struct_size: args.struct_size, device: args.device, ..Default::default() };
    args.bytes_in_use = statistics.bytes.load(Ordering::Relaxed);
    let set = |number: &AtomicI64, value: &mut i64, is_set: &mut u8| {
        (*value, *is_set) = (number.load(Ordering::Relaxed), 1);
    };
    set(&statistics.peak, &mut args.peak_bytes_in_use, &mut args.peak_bytes_in_use_is_set);
    set(&statistics.allocations, &mut args.num_allocs, &mut args.num_allocs_is_set);
    set(&statistics.largest, &mut args.largest_alloc_size, &mut args.largest_alloc_size_is_set);
    Ok(())
}

/// The number of the only memory and of its kind.
const MEMORY_ID: c_int = 0;

/// The kind of the only memory: JAX places arrays in the memory of this kind by default.
pub const MEMORY_KIND: &str = "device";

/// `PJRT_Memory_Id`.
pub fn memory_id(args: &mut MemoryId) -> Result<(), Error> {
    args.id = MEMORY_ID;
    Ok(())
}

/// `PJRT_Memory_Kind`.
pub fn memory_kind(args: &mut MemoryKind) -> Result<(), Error> {
    set_text(MEMORY_KIND, &mut args.kind, &mut args.kind_size)
}

/// `PJRT_Memory_Kind_Id`.
pub fn memory_kind_id(args: &mut MemoryKindId) -> Result<(), Error> {
    args.kind_id = MEMORY_ID;
    Ok(())
}

/// `PJRT_Memory_DebugString`.
pub fn memory_debug_string(args: &mut MemoryDebugString) -> Result<(), Error> {
    set_text("mlopt host", &mut args.debug_string, &mut args.debug_string_size)
}

/// `PJRT_Memory_ToString`.
pub fn memory_to_string(args: &mut MemoryToString) -> Result<(), Error> {
    set_text("mlopt host", &mut args.to_string, &mut args.to_string_size)
}

/// `PJRT_Memory_AddressableByDevices`.
pub fn memory_devices(args: &mut MemoryAddressableByDevices) -> Result<(), Error> {
    let devices = &object::<Memory>(args.memory)?.devices;
    (args.devices, args.num_devices) = (devices.as_ptr(), devices.len());
    Ok(())
}

/// `PJRT_TopologyDescription_Create`: the topology without a client.
pub fn topology_create(args: &mut TopologyDescriptionCreate) -> Result<(), Error> {
    no_options(args.create_options, args.num_options)?;
    args.topology = Box::into_raw(Topology::new(&crate::native::Native::new()?)).cast();
    Ok(())
}

/// `PJRT_TopologyDescription_Destroy`: frees a topology that `PJRT_TopologyDescription_Create` has created, or null.
pub fn topology_destroy(args: &mut TopologyDescriptionDestroy) -> Result<(), Error> {
    free::<Topology>(args.topology.cast_mut());
    Ok(())
}

/// `PJRT_TopologyDescription_PlatformName`.
pub fn topology_platform_name(args: &mut TopologyDescriptionPlatformName) -> Result<(), Error> {
    set_text(PLATFORM, &mut args.platform_name, &mut args.platform_name_size)
}

/// `PJRT_TopologyDescription_PlatformVersion`.
pub fn topology_platform_version(args: &mut TopologyDescriptionPlatformVersion) -> Result<(), Error> {
    let version = &object::<Topology>(args.topology)?.version;
    set_text(version, &mut args.platform_version, &mut args.platform_version_size)
}

/// `PJRT_TopologyDescription_GetDeviceDescriptions`.
pub fn topology_descriptions(args: &mut TopologyDescriptionGetDeviceDescriptions) -> Result<(), Error> {
    let devices = &object::<Topology>(args.topology)?.devices;
    (args.descriptions, args.num_descriptions) = (devices.as_ptr(), devices.len());
    Ok(())
}

/// `PJRT_TopologyDescription_Serialize`: a text for the keys of JAX's cache of compiled programs.
pub fn topology_serialize(args: &mut TopologyDescriptionSerialize) -> Result<(), Error> {
    let topology = object::<Topology>(args.topology)?;
    give(
        format!("{PLATFORM} {} {}", topology.device.kind, topology.version).into_bytes(),
        (&mut args.serialized_bytes, &mut args.serialized_bytes_size),
        (&mut args.serialized_topology, &mut args.serialized_topology_deleter),
    );
    Ok(())
}

/// `PJRT_TopologyDescription_Attributes`: there are none.
pub fn topology_attributes(args: &mut TopologyDescriptionAttributes) -> Result<(), Error> {
    (args.attributes, args.num_attributes) = (std::ptr::null(), 0);
    Ok(())
}
