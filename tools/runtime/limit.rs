//! The amount of memory that compiled code may allocate.

use mlopt_dialects::limits;

/// Formats the bound of [`memory`] for messages.
pub fn bound() -> String {
    match limits::memory() {
        limit if limit <= machine_memory() as u64 => {
            format!("the limit of {} MiB, which `--max-memory` raises", limit >> 20)
        }
        _ => format!("the {} bytes of this machine", machine_memory()),
    }
}

/// Returns the number of bytes that this process may allocate.
pub fn memory() -> usize {
    machine_memory().min(usize::try_from(limits::memory()).unwrap_or(usize::MAX))
}

/// Returns the memory of the machine, or the limit of its control group.
fn machine_memory() -> usize {
    static MEMORY: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *MEMORY.get_or_init(|| {
        let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let field = |name: &str| -> Option<usize> {
            let line = meminfo.lines().find(|l| l.starts_with(name))?;
            Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? * 1024)
        };
        let machine = field("MemTotal:").map_or(usize::MAX, |total| total + field("SwapTotal:").unwrap_or(0));
        let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|s| s.trim().parse().ok());
        machine.min(group.unwrap_or(usize::MAX))
    })
}
