//! Events, which are ready when some work is done. All work of this plugin is done when a function returns, so its
//! events are ready at once, with two exceptions: the event that the memory of the caller is no longer used, and events
//! that the caller creates and sets.
#![allow(unsafe_code)]

use crate::api::{
    EventAwait, EventCreate, EventDestroy, EventError, EventIsReady, EventOnReady, EventSet, OnReady, opaque,
};
use crate::error::Error;
use crate::errors;
use crate::pointers::{Object, free, into_raw, object, text};
use std::ffi::c_void;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// An event.
pub enum Event {
    /// Ready, with an outcome.
    Ready(Result<(), Error>),
    /// Ready when the signal is set.
    When(Arc<Signal>),
}

/// A function of the caller and its argument.
struct Callback {
    function: unsafe extern "C" fn(*mut opaque::Error, *mut c_void),
    argument: *mut c_void,
}

// SAFETY: the API lets a plugin call the function from any thread; the plugin only passes the pointer on.
unsafe impl Send for Callback {}

impl Callback {
    fn call(self, outcome: Result<(), Error>) {
        // SAFETY: the caller of `PJRT_Event_OnReady` guarantees that the function may be called with its argument, and
        // the function takes ownership of the error.
        unsafe { (self.function)(errors::into_raw(outcome), self.argument) }
    }
}

/// The outcome of work that is not done yet.
#[derive(Default)]
pub struct Signal {
    state: Mutex<State>,
    set: Condvar,
}

#[derive(Default)]
struct State {
    outcome: Option<Result<(), Error>>,
    callbacks: Vec<Callback>,
}

impl Signal {
    /// Sets the outcome, wakes the waiting threads and calls the callbacks. Further outcomes are ignored.
    pub fn set(&self, outcome: Result<(), Error>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let callbacks = std::mem::take(&mut state.callbacks);
        let outcome = state.outcome.get_or_insert(outcome).clone();
        drop(state);
        self.set.notify_all();
        callbacks.into_iter().for_each(|callback| callback.call(outcome.clone()));
    }

    fn outcome(&self) -> Option<Result<(), Error>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).outcome.clone()
    }

    fn wait(&self) -> Result<(), Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &state.outcome {
                Some(outcome) => return outcome.clone(),
                None => state = self.set.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Calls the callback with the outcome, now or when it is set.
    fn then(&self, callback: Callback) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.outcome.clone() {
            None => state.callbacks.push(callback),
            Some(outcome) => {
                drop(state);
                callback.call(outcome);
            }
        }
    }
}

// SAFETY: only `into_raw` makes pointers to events.
unsafe impl Object for Event {
    type Opaque = opaque::Event;
    const KIND: &'static str = "an event";
}

/// The event of work that is done and succeeded, which all callers share: most events are this one.
static DONE: Event = Event::Ready(Ok(()));

impl Event {
    /// Returns a pointer for C, to be destroyed, to an event that is ready.
    pub fn ready(outcome: Result<(), Error>) -> *mut opaque::Event {
        match outcome {
            Ok(()) => Event::done(),
            failed => into_raw(Event::Ready(failed)),
        }
    }

    fn done() -> *mut opaque::Event {
        (&raw const DONE).cast_mut().cast()
    }
}

/// `PJRT_Event_Destroy`: frees an event, which may be null.
pub fn destroy(args: &mut EventDestroy) -> Result<(), Error> {
    if args.event != Event::done() {
        free::<Event>(args.event);
    }
    Ok(())
}

/// `PJRT_Event_IsReady`.
pub fn is_ready(args: &mut EventIsReady) -> Result<(), Error> {
    args.is_ready = match object(args.event)? {
        Event::Ready(_) => 1,
        Event::When(signal) => u8::from(signal.outcome().is_some()),
    };
    Ok(())
}

/// `PJRT_Event_Error`: the outcome of an event that is ready.
pub fn error(args: &mut EventError) -> Result<(), Error> {
    match object(args.event)? {
        Event::Ready(outcome) => outcome.clone(),
        Event::When(signal) => signal
            .outcome()
            .unwrap_or_else(|| Err(Error::invalid("expected an event that is ready, found a pending one"))),
    }
}

/// `PJRT_Event_Await`.
pub fn wait(args: &mut EventAwait) -> Result<(), Error> {
    match object(args.event)? {
        Event::Ready(outcome) => outcome.clone(),
        Event::When(signal) => signal.wait(),
    }
}

/// `PJRT_Event_OnReady`.
pub fn on_ready(args: &mut EventOnReady) -> Result<(), Error> {
    let function: OnReady = args.callback;
    let function = function.ok_or_else(|| Error::invalid("expected a callback, found null"))?;
    let callback = Callback { function, argument: args.user_arg };
    match object(args.event)? {
        Event::Ready(outcome) => callback.call(outcome.clone()),
        Event::When(signal) => signal.then(callback),
    }
    Ok(())
}

/// `PJRT_Event_Create`.
pub fn create(args: &mut EventCreate) -> Result<(), Error> {
    args.event = into_raw(Event::When(Arc::default()));
    Ok(())
}

/// `PJRT_Event_Set`: sets an event that `PJRT_Event_Create` has created.
pub fn set(args: &mut EventSet) -> Result<(), Error> {
    let Event::When(signal) = object(args.event)? else {
        return Err(Error::invalid("expected an event of PJRT_Event_Create, found one that is ready"));
    };
    if signal.outcome().is_some() {
        return Err(Error::invalid("expected an event that is not set, found one that is"));
    }
    let message = text(args.error_message, args.error_message_size)?;
    signal.set(match args.error_code {
        0 => Ok(()),
        code => Err(Error { code, message: message.to_string() }),
    });
    Ok(())
}
