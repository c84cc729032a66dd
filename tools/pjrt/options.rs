//! The options of a compilation, and the assignment of devices: the few fields of XLA's messages that concern a single
//! device, by their numbers in `compile_options.proto` and `xla_data.proto`. Other fields are skipped.

use crate::error::Error;
use prost::Message;

/// `xla.CompileOptionsProto`.
#[derive(Clone, PartialEq, Message)]
struct CompileOptions {
    #[prost(bool, tag = "2")]
    parameter_is_tupled_arguments: bool,
    #[prost(message, tag = "3")]
    build: Option<BuildOptions>,
    #[prost(message, repeated, tag = "7")]
    overrides: Vec<Override>,
}

/// `xla.ExecutableBuildOptionsProto`.
#[derive(Clone, PartialEq, Message)]
struct BuildOptions {
    #[prost(int64, tag = "4")]
    num_replicas: i64,
    #[prost(int64, tag = "5")]
    num_partitions: i64,
    #[prost(message, tag = "9")]
    device_assignment: Option<DeviceAssignment>,
}

/// An entry of the map `env_option_overrides`.
#[derive(Clone, PartialEq, Message)]
struct Override {
    #[prost(string, tag = "1")]
    name: String,
}

/// `xla.DeviceAssignmentProto`.
#[derive(Clone, PartialEq, Message)]
struct DeviceAssignment {
    #[prost(int32, tag = "1")]
    replica_count: i32,
    #[prost(int32, tag = "2")]
    computation_count: i32,
    #[prost(message, repeated, tag = "3")]
    computation_devices: Vec<ComputationDevices>,
}

/// `xla.DeviceAssignmentProto.ComputationDevice`.
#[derive(Clone, PartialEq, Message)]
struct ComputationDevices {
    #[prost(int64, repeated, tag = "1")]
    replica_device_ids: Vec<i64>,
}

/// Checks that the options ask for nothing that this plugin does not do.
pub fn check(options: &[u8]) -> Result<(), Error> {
    let options = CompileOptions::decode(options);
    let options = options.map_err(|e| Error::invalid(format!("expected a CompileOptionsProto: {e}")))?;
    if let Some(first) = options.overrides.first() {
        return Err(Error::invalid(format!("mlopt has no compiler option `{}`", first.name)));
    }
    if options.parameter_is_tupled_arguments {
        return Err(Error::unimplemented("not supported: arguments as one tuple"));
    }
    let build = options.build.unwrap_or_default();
    for (count, what) in [(build.num_replicas, "replicas"), (build.num_partitions, "partitions")] {
        if count > 1 {
            return Err(Error::unimplemented(format!("not supported: {count} {what}; mlopt has one device")));
        }
    }
    let assigned = build.device_assignment.unwrap_or_default().computation_devices;
    match assigned.iter().flat_map(|devices| &devices.replica_device_ids).find(|id| **id != 0) {
        Some(id) => Err(Error::invalid(format!("expected an assignment to device 0, the only one, found device {id}"))),
        None => Ok(()),
    }
}

/// Returns the assignment of a program to device 0, as a `DeviceAssignmentProto`.
pub fn device_assignment() -> Vec<u8> {
    let devices = ComputationDevices { replica_device_ids: vec![0] };
    DeviceAssignment { replica_count: 1, computation_count: 1, computation_devices: vec![devices] }.encode_to_vec()
}
