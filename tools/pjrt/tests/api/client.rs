use crate::double::{Owned, destroy};
use crate::{call, list, text};
use mlopt_pjrt::api::*;

#[test]
fn a_client_has_one_device_with_one_memory() {
    let client = Owned::new();
    let mut devices = ClientDevices { client: client.0, ..Default::default() };
    call("PJRT_Client_Devices", &mut devices).expect("devices");
    let [device] = list(devices.devices, devices.num_devices)[..] else { panic!("expected one device") };
    let mut addressable = ClientAddressableDevices { client: client.0, ..Default::default() };
    call("PJRT_Client_AddressableDevices", &mut addressable).expect("devices");
    assert_eq!(list(addressable.addressable_devices, addressable.num_addressable_devices), [device]);
    let mut memories = ClientAddressableMemories { client: client.0, ..Default::default() };
    call("PJRT_Client_AddressableMemories", &mut memories).expect("memories");
    let [memory] = list(memories.addressable_memories, memories.num_addressable_memories)[..] else {
        panic!("expected one memory")
    };
    let mut default = DeviceDefaultMemory { device, ..Default::default() };
    call("PJRT_Device_DefaultMemory", &mut default).expect("a memory");
    assert_eq!(default.memory, memory);
    let mut of_device = DeviceAddressableMemories { device, ..Default::default() };
    call("PJRT_Device_AddressableMemories", &mut of_device).expect("memories");
    assert_eq!(list(of_device.memories, of_device.num_memories), [memory]);
    let mut of_memory = MemoryAddressableByDevices { memory, ..Default::default() };
    call("PJRT_Memory_AddressableByDevices", &mut of_memory).expect("devices");
    assert_eq!(list(of_memory.devices, of_memory.num_devices), [device]);
    let mut kind = MemoryKind { memory, ..Default::default() };
    call("PJRT_Memory_Kind", &mut kind).expect("a kind");
    assert_eq!(text(kind.kind, kind.kind_size), "device");

    let mut found = ClientLookupDevice { client: client.0, id: 0, ..Default::default() };
    call("PJRT_Client_LookupDevice", &mut found).expect("the device");
    assert_eq!(found.device, device);
    found.id = 1;
    let unknown = call("PJRT_Client_LookupDevice", &mut found);
    assert_eq!(unknown, Err((5, "expected device 0, the only one, found 1".to_string())));
}

#[test]
fn the_client_and_its_topology_describe_themselves() {
    let client = Owned::new();
    let mut name = ClientPlatformName { client: client.0, ..Default::default() };
    call("PJRT_Client_PlatformName", &mut name).expect("a name");
    assert_eq!(text(name.platform_name, name.platform_name_size), "mlopt");
    let mut version = ClientPlatformVersion { client: client.0, ..Default::default() };
    call("PJRT_Client_PlatformVersion", &mut version).expect("a version");
    assert_eq!(text(version.platform_version, version.platform_version_size), "version 1");
    let mut topology = ClientTopologyDescription { client: client.0, ..Default::default() };
    call("PJRT_Client_TopologyDescription", &mut topology).expect("a topology");
    let mut bytes = TopologyDescriptionSerialize { topology: topology.topology, ..Default::default() };
    call("PJRT_TopologyDescription_Serialize", &mut bytes).expect("bytes");
    assert_eq!(text(bytes.serialized_bytes, bytes.serialized_bytes_size), "mlopt test processor version 1");
    // SAFETY: the plugin has returned the bytes with their deleter.
    unsafe { bytes.serialized_topology_deleter.expect("a deleter")(bytes.serialized_topology) };
    let mut descriptions =
        TopologyDescriptionGetDeviceDescriptions { topology: topology.topology, ..Default::default() };
    call("PJRT_TopologyDescription_GetDeviceDescriptions", &mut descriptions).expect("descriptions");
    let [device_description] = list(descriptions.descriptions, descriptions.num_descriptions)[..] else {
        panic!("expected one description")
    };
    let mut kind = DeviceDescriptionKind { device_description, ..Default::default() };
    call("PJRT_DeviceDescription_Kind", &mut kind).expect("a kind");
    assert_eq!(text(kind.device_kind, kind.device_kind_size), "test processor");
}

/// JAX translates programs to the stated version, which the reader must accept.
#[test]
fn the_plugin_pins_a_version_of_stablehlo() {
    let mut args = PluginAttributes::default();
    call("PJRT_Plugin_Attributes", &mut args).expect("attributes");
    let attributes = list(args.attributes, args.num_attributes);
    let named = |name: &str| {
        let found = attributes.iter().find(|a| text(a.name, a.name_size) == name);
        let found = found.unwrap_or_else(|| panic!("expected an attribute {name}"));
        match found.r#type {
            // SAFETY: the type selects the field.
            value::INT64 => vec![unsafe { found.value.int64 }],
            // SAFETY: the type selects the field.
            value::INT64_LIST => list(unsafe { found.value.int64_list }, found.value_size),
            other => panic!("expected numbers, found type {other}"),
        }
    };
    assert_eq!(named("stablehlo_current_version"), mlopt_pjrt::client::STABLEHLO);
    assert_eq!(named("stablehlo_minimum_version"), mlopt_pjrt::client::OLDEST_STABLEHLO);
    assert_eq!(named("xla_version").len(), 1);
    let [major, minor, _] = mlopt_pjrt::client::STABLEHLO;
    let newest = mlopt_stablehlo::NEWEST;
    assert!((major, minor) <= (newest.major.into(), newest.minor.into()));
}

#[test]
fn only_one_device_is_assigned() {
    let client = Owned::new();
    let mut ids = [-1, -1];
    let mut args = ClientDefaultDeviceAssignment {
        client: client.0,
        num_replicas: 1,
        num_partitions: 1,
        default_assignment_size: 2,
        default_assignment: ids.as_mut_ptr(),
        ..Default::default()
    };
    call("PJRT_Client_DefaultDeviceAssignment", &mut args).expect("an assignment");
    args.num_replicas = 2;
    let text = "not supported: 2 replicas and 1 partitions; there is one device".to_string();
    assert_eq!(call("PJRT_Client_DefaultDeviceAssignment", &mut args), Err((12, text)));
    assert_eq!(ids, [0, -1]);
}

#[test]
fn options_of_the_platform_are_rejected_by_name() {
    let option = NamedValue { name: c"threads".as_ptr(), name_size: 7, ..Default::default() };
    let mut args = ClientCreate { create_options: &option, num_options: 1, ..Default::default() };
    let text = "expected no options for the platform mlopt, found `threads`".to_string();
    assert_eq!(call("PJRT_Client_Create", &mut args), Err((3, text)));
}

#[test]
fn the_memory_of_buffers_is_counted() {
    let client = Owned::new();
    let mut found = ClientLookupDevice { client: client.0, ..Default::default() };
    call("PJRT_Client_LookupDevice", &mut found).expect("the device");
    let stats = || {
        // Callers leave the fields that the plugin sets without values.
        let (bytes_limit, bytes_limit_is_set) = (i64::MIN, 77);
        let mut args =
            DeviceMemoryStats { device: found.device, bytes_limit, bytes_limit_is_set, ..Default::default() };
        call("PJRT_Device_MemoryStats", &mut args).expect("numbers");
        assert_eq!((args.peak_bytes_in_use_is_set, args.bytes_limit_is_set), (1, 0));
        (args.bytes_in_use, args.peak_bytes_in_use, args.num_allocs, args.largest_alloc_size)
    };
    assert_eq!(stats(), (0, 0, 0, 0));
    let (one, two) = (client.buffer(11, &[3], &[0f32; 3]), client.buffer(11, &[2, 5], &[0f32; 10]));
    assert_eq!(stats(), (52, 52, 2, 40));
    destroy(one);
    assert_eq!(stats(), (40, 52, 2, 40));
    destroy(two);
    assert_eq!(stats(), (0, 52, 2, 40));
}
