//! The threads that execute the chunks of parallel loops of compiled code.
//!
//! Compiled code divides a loop into chunks, whose number depends on sizes only, and calls [`parallel_for`]. The
//! calling thread and the threads of one pool take chunks from a common counter. The pool starts at the first call that
//! has work for several threads. Its threads wait actively for a short time, so that consecutive loops start within a
//! fraction of a microsecond, and sleep afterwards. If another thread of the program uses the pool, the caller executes
//! all chunks itself. The child of a fork has none of the threads, and starts its own pool.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The code of one chunk.
type Body = unsafe extern "C" fn(context: *mut c_void, chunk: i64);

/// The environment variable with the default number of threads.
pub const VARIABLE: &str = "MLOPT_THREADS";
/// The maximum number of threads.
pub const MOST: usize = 1024;
/// The time for which a thread waits actively before it sleeps.
const PATIENCE: Duration = Duration::from_micros(100);

/// The number of threads that the program has requested, or 0.
static REQUESTED: AtomicUsize = AtomicUsize::new(0);
/// The pool of this process, or null before it starts.
static POOL: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());

unsafe extern "C" {
    fn pthread_atfork(
        prepare: Option<unsafe extern "C" fn()>,
        parent: Option<unsafe extern "C" fn()>,
        child: Option<unsafe extern "C" fn()>,
    ) -> i32;
}

/// Sets the number of threads that execute a parallel loop, the calling one included. With 0 it is the default: the
/// environment variable [`VARIABLE`], or else the number of processors that this process may use. Results are the same
/// bits for every number.
pub fn set_threads(threads: usize) {
    REQUESTED.store(threads.min(MOST), Ordering::Relaxed);
}

/// Returns the number of threads that execute a parallel loop.
pub fn threads() -> usize {
    static DEFAULT: OnceLock<usize> = OnceLock::new();
    match REQUESTED.load(Ordering::Relaxed) {
        0 => *DEFAULT.get_or_init(|| {
            let variable = std::env::var(VARIABLE).ok().and_then(|text| text.trim().parse().ok());
            let processors = || std::thread::available_parallelism().map_or(1, usize::from);
            variable.filter(|n| *n > 0).unwrap_or_else(processors).min(MOST)
        }),
        requested => requested,
    }
}

/// Returns the symbols that compiled code uses, with their addresses.
pub fn symbols() -> [(&'static str, usize); 1] {
    [(mlopt_lowering::abi::PARALLEL_FOR, parallel_for as *const () as usize)]
}

/// Executes `body(context, k)` for each `k` below `chunks`, on several threads, and returns when all are complete.
///
/// # Safety
/// The calls of `body` must be safe on any thread, in any order and at the same time.
pub unsafe extern "C" fn parallel_for(body: Body, context: *mut c_void, chunks: i64) {
    let threads = threads();
    let count = u32::try_from(chunks).unwrap_or(0);
    let alone = || {
        for k in 0..chunks {
            // SAFETY: as the caller guarantees.
            unsafe { body(context, k) }
        }
    };
    if threads < 2 || count < 2 {
        return alone();
    }
    let pool = Pool::of_this_process();
    if pool.is_busy.swap(true, Ordering::Acquire) {
        return alone();
    }
    pool.start(threads - 1);
    pool.run(Job { body, context, chunks: count, control: control() }, threads - 1);
    pool.is_busy.store(false, Ordering::Release);
}

/// One parallel loop.
#[derive(Clone, Copy)]
struct Job {
    body: Body,
    context: *mut c_void,
    chunks: u32,
    /// The rounding mode and the treatment of subnormal numbers of the calling thread.
    control: u32,
}

impl Job {
    fn run(&self, chunk: u32) {
        // SAFETY: as the caller of `parallel_for` guarantees; it waits until all chunks are complete.
        unsafe { (self.body)(self.context, i64::from(chunk)) }
    }
}

/// The threads and the job that they execute. The fields of the job change only while `ticket` has no chunks left.
struct Pool {
    /// Set while a thread executes a loop.
    is_busy: AtomicBool,
    /// The number of the job in the upper half, and the number of its chunks that no thread has taken in the lower one.
    ticket: AtomicU64,
    /// The number of chunks that are not complete.
    pending: AtomicU32,
    /// The job: its body, its context, the number of its chunks, and the control word.
    body: AtomicPtr<()>,
    context: AtomicPtr<c_void>,
    chunks: AtomicU32,
    control: AtomicU32,
    /// The number of threads of the pool that may take chunks of the job.
    helpers: AtomicUsize,
    /// The number of threads of the pool.
    started: AtomicUsize,
    /// The number of threads that sleep, or are about to, until there is a job.
    sleeping: AtomicUsize,
    /// Set while the calling thread sleeps, or is about to, until its job is complete.
    is_caller_waiting: AtomicBool,
    lock: Mutex<()>,
    there_is_a_job: Condvar,
    job_is_complete: Condvar,
}

impl Pool {
    fn of_this_process() -> &'static Pool {
        let pool = POOL.load(Ordering::Acquire);
        let pool = if pool.is_null() { Pool::create() } else { pool };
        // SAFETY: a pool is never freed.
        unsafe { &*pool }
    }

    fn create() -> *mut Pool {
        static ONCE: Once = Once::new();
        // SAFETY: the handler only stores to an atomic variable, which is permitted in the child of a fork.
        ONCE.call_once(|| unsafe {
            pthread_atfork(None, None, Some(forget));
        });
        let new = Box::into_raw(Box::new(Pool {
            is_busy: AtomicBool::new(false),
            ticket: AtomicU64::new(0),
            pending: AtomicU32::new(0),
            body: AtomicPtr::new(std::ptr::null_mut()),
            context: AtomicPtr::new(std::ptr::null_mut()),
            chunks: AtomicU32::new(0),
            control: AtomicU32::new(0),
            helpers: AtomicUsize::new(0),
            started: AtomicUsize::new(0),
            sleeping: AtomicUsize::new(0),
            is_caller_waiting: AtomicBool::new(false),
            lock: Mutex::new(()),
            there_is_a_job: Condvar::new(),
            job_is_complete: Condvar::new(),
        }));
        match POOL.compare_exchange(std::ptr::null_mut(), new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => new,
            Err(other) => {
                // SAFETY: no other thread knows `new`.
                drop(unsafe { Box::from_raw(new) });
                other
            }
        }
    }

    /// Starts threads until there are `count`. If the system permits fewer, those execute all loops.
    fn start(&'static self, count: usize) {
        // Only the thread that has set `is_busy` changes the number.
        for number in self.started.load(Ordering::Relaxed)..count {
            let thread = std::thread::Builder::new().name(format!("mlopt-{}", number + 1));
            if thread.spawn(move || self.serve(number)).is_err() {
                return;
            }
            self.started.store(number + 1, Ordering::Relaxed);
        }
    }

    /// Executes a job on this thread and on at most `helpers` threads of the pool.
    fn run(&self, job: Job, helpers: usize) {
        self.body.store(job.body as *mut (), Ordering::Relaxed);
        self.context.store(job.context, Ordering::Relaxed);
        self.chunks.store(job.chunks, Ordering::Relaxed);
        self.control.store(job.control, Ordering::Relaxed);
        self.helpers.store(helpers, Ordering::Relaxed);
        self.pending.store(job.chunks, Ordering::Relaxed);
        let number = (self.ticket.load(Ordering::Relaxed) >> 32) as u32;
        let ticket = u64::from(number.wrapping_add(1)) << 32 | u64::from(job.chunks);
        self.ticket.store(ticket, Ordering::SeqCst);
        if self.sleeping.load(Ordering::SeqCst) > 0 {
            let _guard = self.locked();
            self.there_is_a_job.notify_all();
        }
        while let Some((job, chunk)) = self.take() {
            job.run(chunk);
            self.pending.fetch_sub(1, Ordering::SeqCst);
        }
        let is_complete = || self.pending.load(Ordering::SeqCst) == 0;
        if !wait_actively(is_complete) {
            let mut guard = self.locked();
            self.is_caller_waiting.store(true, Ordering::SeqCst);
            while !is_complete() {
                guard = self.job_is_complete.wait(guard).unwrap_or_else(PoisonError::into_inner);
            }
            self.is_caller_waiting.store(false, Ordering::SeqCst);
        }
    }

    /// Takes a chunk of the current job, if one is left.
    fn take(&self) -> Option<(Job, u32)> {
        let mut ticket = self.ticket.load(Ordering::SeqCst);
        loop {
            let left = ticket as u32;
            if left == 0 {
                return None;
            }
            let body = self.body.load(Ordering::Relaxed);
            let context = self.context.load(Ordering::Relaxed);
            let chunks = self.chunks.load(Ordering::Relaxed);
            let control = self.control.load(Ordering::Relaxed);
            // If the ticket has not changed, the job is the one whose fields have been read, and it is not complete
            // before this chunk is.
            match self.ticket.compare_exchange_weak(ticket, ticket - 1, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => {
                    // SAFETY: `run` stores the address of a body before it stores a ticket with chunks.
                    let body = unsafe { std::mem::transmute::<*mut (), Body>(body) };
                    return Some((Job { body, context, chunks, control }, chunks - left));
                }
                Err(other) => ticket = other,
            }
        }
    }

    /// Executes jobs on the thread with this number, for the rest of the process.
    fn serve(&self, number: usize) {
        let mut usual = control();
        let has_work =
            || self.ticket.load(Ordering::SeqCst) as u32 > 0 && number < self.helpers.load(Ordering::Relaxed);
        loop {
            if !wait_actively(has_work) {
                let mut guard = self.locked();
                self.sleeping.fetch_add(1, Ordering::SeqCst);
                while !has_work() {
                    guard = self.there_is_a_job.wait(guard).unwrap_or_else(PoisonError::into_inner);
                }
                self.sleeping.fetch_sub(1, Ordering::SeqCst);
            }
            while let Some((job, chunk)) = self.take() {
                if job.control != usual {
                    usual = job.control;
                    set_control(usual);
                }
                job.run(chunk);
                if self.pending.fetch_sub(1, Ordering::SeqCst) == 1 && self.is_caller_waiting.load(Ordering::SeqCst) {
                    let _guard = self.locked();
                    self.job_is_complete.notify_all();
                }
            }
        }
    }

    fn locked(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes the child of a fork start its own pool.
unsafe extern "C" fn forget() {
    POOL.store(std::ptr::null_mut(), Ordering::Release);
}

/// Waits for a condition for a short time. Returns false if it does not hold by then.
fn wait_actively(holds: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    loop {
        for _ in 0..64 {
            if holds() {
                return true;
            }
            spin_loop();
        }
        // If there are more threads than processors, the one that is waited for needs this one.
        std::thread::yield_now();
        if start.elapsed() > PATIENCE {
            return false;
        }
    }
}

/// Returns the control part of the register MXCSR of this thread: the flags of exceptions are cleared.
fn control() -> u32 {
    let mut word = 0u32;
    // SAFETY: stores four bytes to `word`.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &mut word, options(nostack, preserves_flags)) };
    word & !0x3f
}

fn set_control(word: u32) {
    // SAFETY: `word` comes from the same register of another thread.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &word, options(nostack, preserves_flags, readonly)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn count(context: *mut c_void, chunk: i64) {
        // SAFETY: the tests below pass a vector of counters with one element for each chunk.
        let counters = unsafe { &*context.cast::<Vec<AtomicU32>>() };
        counters[chunk as usize].fetch_add(1, Ordering::Relaxed);
    }

    fn run(chunks: usize) {
        let counters: Vec<AtomicU32> = (0..chunks).map(|_| AtomicU32::new(0)).collect();
        // SAFETY: `count` increments the counter of each chunk.
        unsafe { parallel_for(count, (&raw const counters).cast_mut().cast(), chunks as i64) };
        assert!(counters.iter().all(|c| c.load(Ordering::Relaxed) == 1), "{counters:?}");
    }

    #[test]
    fn each_chunk_runs_once() {
        for threads in [1, 2, 3, 8, 2, 0] {
            set_threads(threads);
            for chunks in [0, 1, 2, 3, 7, 64, 1000] {
                (0..50).for_each(|_| run(chunks));
            }
            // The threads sleep by the end of this time.
            std::thread::sleep(4 * PATIENCE);
            run(64);
        }
    }

    #[test]
    fn several_threads_may_call() {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..2000).for_each(|k| run(k % 70)));
            }
        });
    }
}
