//! The runtime of programs with tasks: a thread for each running task, channels between tasks, input and output.
//!
//! One lock guards all shared state, including the number of live tasks and the number of waiting tasks. The task that
//! wakes another one also decrements the number of waiting tasks. Therefore the two numbers are equal if and only if
//! all live tasks wait, which is a deadlock. The stack of a waiting task contains the value that it sends, or memory
//! for the value that it receives; the task that wakes it copies the value from or to this memory.
#![allow(unsafe_code)]

use super::data::{number_word, read as read_value};
use super::exports::{Export, Site};
use super::heap;
use mlopt_dialects::bridge::crash::silently;
use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::value::{Data, Element};
use mlopt_lowering::abi::shape::Shape;
use mlopt_lowering::data::lambda_to_llvm::{CHUNKS, CONTEXT_BYTES, ENDED, STACK_LIMIT, STATUS, TASK, VALUES};
use mlopt_lowering::native::Error;
use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The stack sizes in bytes of the first task, and of other tasks, whose mapping should be fast. Only touched pages
/// take memory.
const STACKS: [usize; 2] = [1 << 30, 1 << 28];
/// The part of a stack that is reserved for code that does not check the limit.
const STACK_RESERVE: usize = 1 << 20;
/// The maximum number of threads of one call. Each takes four mappings of address space, of which Linux allows a
/// process 65,530, and Rust aborts the process if a new thread gets none.
const MOST_THREADS: usize = 10_000;
/// The size in bytes of the first chunk of memory. Each chunk is twice as large as the previous one, up to 64 MiB.
const FIRST_CHUNK: u64 = 1 << 16;

//===-- input and output ------------------------------------------------------------------------------------------===//

/// A line, or `None` at the end of the input.
type Line = std::io::Result<Option<String>>;

/// A reason why a program stops at input or output.
#[derive(Debug, thiserror::Error)]
enum ConsoleError {
    #[error("the input cannot be read: {0}")]
    Input(std::io::Error),
    #[error("expected a line of input, found the end of the input")]
    End,
    #[error("expected a value of type {element}, found the line `{line}`")]
    Number { line: String, element: Element },
    #[error("the output cannot be written: {0}")]
    Output(std::io::Error),
}

/// The input of programs, line by line, and their output.
pub struct Console {
    input: Mutex<Box<dyn FnMut() -> Line + Send>>,
    output: Mutex<Box<dyn Write + Send>>,
}

impl Console {
    pub fn new(input: impl FnMut() -> Line + Send + 'static, output: impl Write + Send + 'static) -> Console {
        Console { input: Mutex::new(Box::new(input)), output: Mutex::new(Box::new(output)) }
    }

    /// Returns the standard input and output of this process.
    pub fn standard() -> Console {
        let line = || {
            let mut line = String::new();
            Ok((std::io::stdin().read_line(&mut line)? > 0).then_some(line))
        };
        Console::new(line, std::io::stdout())
    }

    fn line(&self) -> Result<String, ConsoleError> {
        locked(&self.input)().map_err(ConsoleError::Input)?.ok_or(ConsoleError::End)
    }

    fn write(&self, line: &str) -> Result<(), ConsoleError> {
        let mut output = locked(&self.output);
        let written = output.write_all(line.as_bytes()).and_then(|()| output.flush());
        written.map_err(ConsoleError::Output)
    }
}

/// Locks a mutex. A poisoned one is accepted, because no critical section leaves its data inconsistent.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//===-- shared state ----------------------------------------------------------------------------------------------===//

/// A call from outside, with all tasks that it starts.
struct Run {
    world: Mutex<World>,
    /// Signals that the last task has ended.
    over: Condvar,
    /// Signals to idle threads that a job exists, or that no more will follow.
    more: Condvar,
    export: Arc<Export>,
    console: Arc<Console>,
}

#[derive(Default)]
struct World {
    tasks: Vec<Task>,
    channels: Vec<Channel>,
    /// The number of tasks that have not ended, and the number of those that wait.
    live: usize,
    waiting: usize,
    threads: usize,
    /// The number of idle threads without an assigned job. Each of `jobs` is assigned to a further idle thread.
    idle: usize,
    jobs: VecDeque<Job>,
    /// The errors of tasks that failed themselves.
    failures: BTreeMap<usize, Error>,
    deadlock: Option<Error>,
    /// The contexts of ended tasks. New tasks reuse them, and allocate after the data in their memory.
    contexts: Vec<Vec<u64>>,
}

#[derive(Default)]
struct Task {
    /// The site that started the task; unused for the first task.
    origin: usize,
    waiting: Option<Waiting>,
    /// The outcome of its last wait.
    woken: Woken,
    wake: Arc<Condvar>,
    /// The words of its result, `Some(None)` if it has failed, `None` while it runs.
    outcome: Option<Option<Vec<u64>>>,
    /// The tasks that wait for its end.
    joins: Vec<usize>,
}

struct Waiting {
    site: usize,
    on: Source,
    /// The words of the sent value, or the destination of the received one.
    words: Words,
}

#[derive(Clone, Copy, PartialEq)]
enum Source {
    Channel(usize),
    Task(usize),
}

#[derive(Clone, Copy, Default)]
enum Woken {
    /// The operation is complete.
    #[default]
    Done,
    /// The channel was closed.
    Closed,
    /// No task can wake it any more, or the task that it waits for has failed.
    Ended,
}

#[derive(Default)]
struct Channel {
    origin: usize,
    /// The maximum number of buffered values; with 0, senders wait for receivers.
    capacity: usize,
    /// The number of words of a value.
    width: usize,
    /// The number of buffered values, and their words.
    count: usize,
    values: VecDeque<u64>,
    senders: VecDeque<usize>,
    receivers: VecDeque<usize>,
    is_closed: bool,
}

/// Words of a waiting task, on its stack.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Words(*mut u64);

// SAFETY: the words are accessed only under the lock, while their owner waits or is in the call that passed them.
unsafe impl Send for Words {}

impl Words {
    fn all(self, count: usize) -> impl Iterator<Item = u64> {
        // SAFETY: compiled code has as many words there as the width of the channel or the results of the task, and
        // their owner waits or is in the call that passed them.
        (0..count).map(move |k| unsafe { *self.0.add(k) })
    }

    fn fill(self, words: impl Iterator<Item = u64>) {
        // SAFETY: as for `all`.
        words.enumerate().for_each(|(k, word)| unsafe { *self.0.add(k) = word });
    }
}

impl World {
    /// Wakes a waiting task.
    fn wake(&mut self, task: usize, woken: Woken) {
        let task = &mut self.tasks[task];
        task.waiting = None;
        task.woken = woken;
        self.waiting -= 1;
        task.wake.notify_one();
    }

    /// Returns the words of a waiting task.
    fn words(&self, task: usize) -> Words {
        self.tasks[task].waiting.as_ref().expect("it waits").words
    }

    /// Returns the waiting tasks, in order.
    fn all_waiting(&self) -> Vec<usize> {
        (0..self.tasks.len()).filter(|k| self.tasks[*k].waiting.is_some()).collect()
    }

    /// Wakes all waiting tasks with [`Woken::Ended`].
    fn end_waiting(&mut self) {
        self.all_waiting().into_iter().for_each(|task| self.wake(task, Woken::Ended));
    }

    /// Ends all tasks if all of them wait. This is a deadlock, unless a task has failed: then they may wait for an
    /// operation of that task.
    fn check_deadlock(&mut self, sites: &[Site]) {
        if self.live == 0 || self.waiting < self.live {
            return;
        }
        if self.failures.is_empty() {
            self.deadlock = self.told(sites);
        }
        self.end_waiting();
    }

    fn told(&self, sites: &[Site]) -> Option<Error> {
        let waiting = self.all_waiting().into_iter().filter_map(|k| Some((k, self.tasks[k].waiting.as_ref()?)));
        let waiting: Vec<(usize, &Waiting)> = waiting.collect();
        let each: Vec<String> = waiting.iter().map(|(k, w)| self.told_of(*k, w, sites)).collect();
        let text = format!("deadlock: all tasks wait; {}", each.join("; "));
        Some(Error::Stopped { place: sites[waiting.first()?.1.site].place.clone(), text, is_mismatch: false })
    }

    /// Formats `task 1 (a.mlir:3:4) waits in 'lambda.recv' at a.mlir:5:6 for channel 0 (a.mlir:2:3)`.
    fn told_of(&self, task: usize, waiting: &Waiting, sites: &[Site]) -> String {
        let numbered = |what: &str, k: usize, origin: usize| format!("{what} {k} ({})", sites[origin].place);
        let who = match task {
            0 => "the program".to_string(),
            _ => numbered("task", task, self.tasks[task].origin),
        };
        let on = match waiting.on {
            Source::Channel(c) => numbered("channel", c, self.channels[c].origin),
            Source::Task(t) => numbered("task", t, self.tasks[t].origin),
        };
        let Site { place, op, .. } = &sites[waiting.site];
        format!("{who} waits in '{op}' at {place} for {on}")
    }
}

//===-- tasks -----------------------------------------------------------------------------------------------------===//

/// The code of a task. Its parameters are the arguments, the destination of the results, and the context.
pub type Code = unsafe extern "C" fn(*const u64, *mut u64, *mut u64) -> i64;

/// Calls a program and waits for all tasks that it starts. Returns the words of its result, and the memory that they
/// refer to.
///
/// # Safety
/// `code` must be an entry point of code that outlives the call. `arguments` must be the words of its arguments, and
/// the memory that they refer to must outlive the call. The code must return `results` words.
pub unsafe fn call(
    export: &Arc<Export>,
    console: Arc<Console>,
    code: Code,
    (arguments, results): (Vec<u64>, usize),
) -> Result<(Vec<u64>, Memory), Error> {
    let run = Arc::new(Run {
        world: Mutex::default(),
        over: Condvar::new(),
        more: Condvar::new(),
        export: export.clone(),
        console,
    });
    let started = run.start(0, code, arguments, results);
    started.map_err(|e| Error::Internal(format!("cannot allocate a stack of {} bytes: {e}", STACKS[0])))?;
    let world = run.over.wait_while(locked(&run.world), |world| world.live > 0);
    let mut world = world.unwrap_or_else(PoisonError::into_inner);
    let memory = Memory(std::mem::take(&mut world.contexts).into_iter().map(|context| context[CHUNKS]).collect());
    let failed = world.failures.pop_first().map(|(_, error)| error).or(world.deadlock.take());
    match (failed, world.tasks[0].outcome.take().flatten()) {
        (Some(error), _) => Err(error),
        (None, Some(words)) => Ok((words, memory)),
        (None, None) => Err(Error::Internal("a program must end with a result, found none".to_string())),
    }
}

/// Linked lists of chunks of memory, each represented by the address of its last chunk.
pub struct Memory(Vec<u64>);

impl Drop for Memory {
    fn drop(&mut self) {
        for mut chunk in self.0.drain(..) {
            while chunk != 0 {
                // SAFETY: the first word of a chunk is the address of the previous one, and the chunks are no longer
                // used.
                unsafe {
                    let before = *(chunk as *const u64);
                    heap::give_back(chunk as *mut std::ffi::c_void);
                    chunk = before;
                }
            }
        }
    }
}

/// A task that has not started.
struct Job {
    task: usize,
    wake: Arc<Condvar>,
    code: Code,
    arguments: Vec<u64>,
    results: usize,
}

impl Run {
    /// Starts a task, on an idle thread or on a new one.
    fn start(
        self: &Arc<Run>,
        origin: usize,
        code: Code,
        arguments: Vec<u64>,
        results: usize,
    ) -> std::io::Result<usize> {
        let mut world = locked(&self.world);
        if world.idle == 0 && world.threads == MOST_THREADS {
            return Err(std::io::Error::other(format!("expected at most {MOST_THREADS} threads at once")));
        }
        let (task, wake) = (world.tasks.len(), Arc::new(Condvar::new()));
        world.tasks.push(Task { origin, wake: wake.clone(), ..Task::default() });
        world.live += 1;
        let job = Job { task, wake, code, arguments, results };
        if world.idle > 0 {
            world.idle -= 1;
            world.jobs.push_back(job);
            self.more.notify_one();
            return Ok(task);
        }
        world.threads += 1;
        drop(world);
        let stack = STACKS[usize::from(task > 0)];
        let run = self.clone();
        let thread = std::thread::Builder::new().stack_size(stack).spawn(move || run.work(job, stack));
        // The task that starts it is live but does not wait, so no task waits for a change of the count.
        thread.map(|_| task).inspect_err(|_| {
            let mut world = locked(&self.world);
            world.live -= 1;
            world.threads -= 1;
        })
    }

    /// Runs a task, then further jobs, on this thread.
    fn work(self: Arc<Run>, first: Job, stack: usize) {
        let mut next = Some(first);
        while let Some(job) = next {
            let task = job.task;
            // A panic ends the task like an error of the program: otherwise the caller waits for ever.
            if let Err(panic) = silently(|| self.run(job, stack)) {
                locked(&self.world).failures.insert(task, Error::Internal(panic));
                self.end(task, None, new_context());
            }
            let mut world = locked(&self.world);
            world.idle += 1;
            let world = self.more.wait_while(world, |world| world.jobs.is_empty() && world.live > 0);
            next = world.unwrap_or_else(PoisonError::into_inner).jobs.pop_front();
        }
    }

    fn run(self: &Arc<Run>, job: Job, stack: usize) {
        let me = Me { run: self.clone(), task: job.task, wake: job.wake };
        let mut context = locked(&self.world).contexts.pop().unwrap_or_else(new_context);
        let here = 0u8;
        context[STACK_LIMIT] = (&raw const here as usize).saturating_sub(stack - STACK_RESERVE) as u64;
        context[STATUS] = 0;
        context[TASK] = &raw const me as u64;
        let mut out = vec![0u64; job.results];
        // SAFETY: as for `call`; the code that starts a task passes the words of its arguments.
        let status = unsafe { (job.code)(job.arguments.as_ptr(), out.as_mut_ptr(), context.as_mut_ptr()) };
        debug_assert!(status == 0 || status == context[STATUS] as i64);
        if status != 0 && status != ENDED {
            let error = self.export.stopped(status, &context[VALUES..]);
            locked(&self.world).failures.insert(job.task, error);
        }
        self.end(job.task, (status == 0).then_some(out), context);
    }

    /// Stores the result of a task, `None` if it has failed, and passes it to the tasks that wait for it.
    fn end(&self, task: usize, outcome: Option<Vec<u64>>, context: Vec<u64>) {
        let mut world = locked(&self.world);
        world.contexts.push(context);
        for other in std::mem::take(&mut world.tasks[task].joins) {
            match &outcome {
                // This task was woken by `end_waiting`.
                _ if world.tasks[other].waiting.is_none() => {}
                Some(words) => {
                    world.words(other).fill(words.iter().copied());
                    world.wake(other, Woken::Done);
                }
                None => world.wake(other, Woken::Ended),
            }
        }
        world.tasks[task].outcome = Some(outcome);
        world.live -= 1;
        if world.failures.contains_key(&0) {
            world.end_waiting();
        }
        world.check_deadlock(&self.export.sites);
        if world.live == 0 {
            self.more.notify_all();
            self.over.notify_one();
        }
    }
}

/// Returns the context of a task that has allocated nothing.
fn new_context() -> Vec<u64> {
    let mut context = vec![0u64; CONTEXT_BYTES / 8];
    context[CHUNKS + 1] = FIRST_CHUNK;
    context
}

/// The data that the runtime finds through the context of a task.
struct Me {
    run: Arc<Run>,
    task: usize,
    wake: Arc<Condvar>,
}

impl Me {
    /// Waits until another task wakes this one.
    fn wait(&self, mut world: MutexGuard<World>, site: usize, on: Source, words: Words) -> Woken {
        world.tasks[self.task].waiting = Some(Waiting { site, on, words });
        world.waiting += 1;
        world.check_deadlock(&self.run.export.sites);
        let world = self.wake.wait_while(world, |world| world.tasks[self.task].waiting.is_some());
        world.unwrap_or_else(PoisonError::into_inner).tasks[self.task].woken
    }

    /// Locks the shared state. Returns `None` if the first task has failed: then other tasks end at their next
    /// operation.
    fn world(&self) -> Option<MutexGuard<'_, World>> {
        Some(locked(&self.run.world)).filter(|world| !world.failures.contains_key(&0))
    }

    /// Records an error of this task.
    fn fail(&self, mut world: MutexGuard<World>, site: usize, text: String) -> i64 {
        let place = self.run.export.sites[site].place.clone();
        world.failures.insert(self.task, Error::Stopped { place, text, is_mismatch: false });
        ENDED
    }

    /// Waits at a channel. Returns the status.
    fn wait_at(&self, world: MutexGuard<World>, site: usize, channel: usize, words: Words) -> i64 {
        match self.wait(world, site, Source::Channel(channel), words) {
            Woken::Done => 0,
            Woken::Closed => self.fail(locked(&self.run.world), site, closed(channel)),
            Woken::Ended => ENDED,
        }
    }

    fn channel(&self, site: usize, width: usize, capacity: usize, number: Words) -> i64 {
        let Some(mut world) = self.world() else { return ENDED };
        number.fill(std::iter::once(world.channels.len() as u64));
        world.channels.push(Channel { origin: site, capacity, width, ..Channel::default() });
        0
    }

    fn send(&self, site: usize, c: usize, words: Words) -> i64 {
        let Some(mut world) = self.world() else { return ENDED };
        let channel = &mut world.channels[c];
        let width = channel.width;
        if channel.is_closed {
            return self.fail(world, site, closed(c));
        }
        if let Some(receiver) = channel.receivers.pop_front() {
            world.words(receiver).fill(words.all(width));
            world.wake(receiver, Woken::Done);
            return 0;
        }
        if channel.count < channel.capacity {
            channel.put(words);
            return 0;
        }
        channel.senders.push_back(self.task);
        self.wait_at(world, site, c, words)
    }

    fn recv(&self, site: usize, c: usize, words: Words) -> i64 {
        let Some(mut world) = self.world() else { return ENDED };
        let channel = &mut world.channels[c];
        let (width, sender) = (channel.width, channel.senders.pop_front());
        // Buffered values precede values of waiting senders.
        if channel.count > 0 {
            channel.take(words);
            if let Some(sender) = sender {
                let next = world.words(sender);
                world.channels[c].put(next);
                world.wake(sender, Woken::Done);
            }
            return 0;
        }
        if let Some(sender) = sender {
            words.fill(world.words(sender).all(width));
            world.wake(sender, Woken::Done);
            return 0;
        }
        if channel.is_closed {
            return self.fail(world, site, closed(c));
        }
        channel.receivers.push_back(self.task);
        self.wait_at(world, site, c, words)
    }

    /// Closes a channel and wakes the tasks that wait at it. Buffered values can still be received.
    fn close(&self, _site: usize, c: usize) -> i64 {
        let Some(mut world) = self.world() else { return ENDED };
        let channel = &mut world.channels[c];
        channel.is_closed = true;
        let waiting: Vec<usize> = channel.receivers.drain(..).chain(channel.senders.drain(..)).collect();
        waiting.into_iter().for_each(|task| world.wake(task, Woken::Closed));
        0
    }

    fn spawn(&self, site: usize, code: Code, (results, arguments): (usize, Vec<u64>), number: Words) -> i64 {
        if self.world().is_none() {
            return ENDED;
        }
        match self.run.start(site, code, arguments, results) {
            Ok(task) => {
                number.fill(std::iter::once(task as u64));
                0
            }
            Err(e) => self.fail(locked(&self.run.world), site, format!("cannot create a thread for a task: {e}")),
        }
    }

    fn join(&self, site: usize, task: usize, words: Words) -> i64 {
        let Some(mut world) = self.world() else { return ENDED };
        match &world.tasks[task].outcome {
            Some(Some(result)) => {
                words.fill(result.iter().copied());
                0
            }
            Some(None) => ENDED,
            None => {
                world.tasks[task].joins.push(self.task);
                match self.wait(world, site, Source::Task(task), words) {
                    Woken::Done => 0,
                    _ => ENDED,
                }
            }
        }
    }

    fn print(&self, site: usize, values: &[Value]) -> i64 {
        if self.world().is_none() {
            return ENDED;
        }
        let line: Vec<String> = values.iter().map(Value::to_string).collect();
        self.status(site, self.run.console.write(&(line.join(" ") + "\n")))
    }

    /// Reads the number on the next line.
    fn read(&self, site: usize, number: Words) -> i64 {
        if self.world().is_none() {
            return ENDED;
        }
        let element = match &self.run.export.sites[site].values[..] {
            [Shape::Number(element)] => *element,
            _ => Element::F64,
        };
        let found = self.run.console.line().and_then(|line| {
            let line = line.trim();
            Data::parsed(line, element).ok_or_else(|| ConsoleError::Number { line: line.into(), element })
        });
        self.status(site, found.map(|data| number.fill(std::iter::once(number_word(&data)))))
    }

    /// Returns the status after input or output, and records its error.
    fn status(&self, site: usize, outcome: Result<(), ConsoleError>) -> i64 {
        match outcome {
            Ok(()) => 0,
            Err(e) => self.fail(locked(&self.run.world), site, e.to_string()),
        }
    }
}

impl Channel {
    fn put(&mut self, words: Words) {
        self.count += 1;
        self.values.extend(words.all(self.width));
    }

    fn take(&mut self, words: Words) {
        self.count -= 1;
        words.fill(self.values.drain(..self.width));
    }
}

fn closed(channel: usize) -> String {
    format!("closed-channel: channel {channel} is closed")
}

//===-- functions that compiled code calls ------------------------------------------------------------------------===//

/// # Safety
/// `context` must be the context of a running task.
unsafe fn me<'c>(context: *mut u64) -> &'c Me {
    // SAFETY: `Run::run` has stored it, and keeps it while the task runs.
    unsafe { &*(*context.add(TASK) as *const Me) }
}

impl Me {
    /// Runs `work`. A panic, which must not unwind into compiled code, ends the task.
    fn guarded(&self, site: usize, work: impl FnOnce(&Me) -> i64) -> i64 {
        silently(|| work(self)).unwrap_or_else(|panic| {
            let place = &self.run.export.sites[site].place;
            let error = Error::Internal(format!("{panic}, called at {place}"));
            locked(&self.run.world).failures.insert(self.task, error);
            ENDED
        })
    }
}

/// Defines functions that call the methods of [`Me`] with the same names.
macro_rules! methods_of_me {
    ($($name:ident(site, $($argument:ident: $ty:ty),*);)*) => {
        $(extern "C" fn $name(context: *mut u64, site: usize, $($argument: $ty),*) -> i64 {
            // SAFETY: compiled code passes its context.
            unsafe { me(context) }.guarded(site, |me| me.$name(site, $($argument),*))
        })*
    };
}

methods_of_me! {
    channel(site, width: usize, capacity: usize, number: Words);
    send(site, channel: usize, value: Words);
    recv(site, channel: usize, value: Words);
    close(site, channel: usize);
    join(site, task: usize, result: Words);
    read(site, number: Words);
}

extern "C" fn spawn(context: *mut u64, site: usize, code: Code, results: usize, count: usize, words: Words) -> i64 {
    let arguments = words.all(count).collect();
    // SAFETY: as for `channel`.
    unsafe { me(context) }.guarded(site, |me| me.spawn(site, code, (results, arguments), words))
}

extern "C" fn print(context: *mut u64, site: usize, values: *mut u64) -> i64 {
    let print = |me: &Me| {
        let shapes = &me.run.export.sites[site].values;
        // SAFETY: the words are those of values of the shapes of the site, whose memory is alive.
        let values: Vec<Value> = unsafe {
            let mut words = (0..).map(|k| *values.add(k));
            shapes.iter().map(|shape| read_value(shape, &mut words)).collect()
        };
        me.print(site, &values)
    };
    // SAFETY: as for `channel`.
    unsafe { me(context) }.guarded(site, print)
}

/// Returns the symbols that compiled code uses, with their addresses.
pub fn symbols() -> [(&'static str, usize); 8] {
    [
        ("mlopt.channel", channel as *const () as usize),
        ("mlopt.send", send as *const () as usize),
        ("mlopt.recv", recv as *const () as usize),
        ("mlopt.close", close as *const () as usize),
        ("mlopt.spawn", spawn as *const () as usize),
        ("mlopt.join", join as *const () as usize),
        ("mlopt.print", print as *const () as usize),
        ("mlopt.read", read as *const () as usize),
    ]
}
