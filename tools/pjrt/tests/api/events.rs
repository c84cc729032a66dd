use crate::call;
use mlopt_pjrt::api::*;
use std::ffi::c_void;
use std::sync::Mutex;

fn created() -> *mut opaque::Event {
    let mut args = EventCreate::default();
    call("PJRT_Event_Create", &mut args).expect("an event");
    args.event
}

fn is_ready(event: *mut opaque::Event) -> bool {
    let mut args = EventIsReady { event, ..Default::default() };
    call("PJRT_Event_IsReady", &mut args).expect("a state");
    args.is_ready == 1
}

fn set(event: *mut opaque::Event, error_code: i32, message: &str) -> Result<(), (i32, String)> {
    let (error_message, error_message_size) = (message.as_ptr().cast(), message.len());
    call("PJRT_Event_Set", &mut EventSet { event, error_code, error_message, error_message_size, ..Default::default() })
}

fn destroy(event: *mut opaque::Event) {
    call("PJRT_Event_Destroy", &mut EventDestroy { event, ..Default::default() }).expect("freed");
}

/// The outcomes of callbacks.
type Outcomes = Mutex<Vec<Result<(), (i32, String)>>>;

/// Appends the outcome to the list at `list`.
unsafe extern "C" fn append(error: *mut opaque::Error, list: *mut c_void) {
    let outcome = if error.is_null() { Ok(()) } else { Err(crate::taken(error)) };
    // SAFETY: the tests pass such a list, which lives longer than the event.
    let list = unsafe { &*(list as *const Outcomes) };
    list.lock().expect("a list").push(outcome);
}

#[test]
fn a_pending_event_becomes_ready_on_all_its_paths() {
    let (event, list) = (created(), Outcomes::default());
    assert!(!is_ready(event));
    let pending = call("PJRT_Event_Error", &mut EventError { event, ..Default::default() });
    assert_eq!(pending, Err((3, "expected an event that is ready, found a pending one".to_string())));
    let on_ready = EventOnReady {
        event,
        callback: Some(append),
        user_arg: (&raw const list).cast_mut().cast(),
        ..Default::default()
    };
    call("PJRT_Event_OnReady", &mut { on_ready }).expect("registered");
    assert!(list.lock().expect("a list").is_empty());
    let address = event as usize;
    let waiting = std::thread::spawn(move || {
        call("PJRT_Event_Await", &mut EventAwait { event: address as *mut opaque::Event, ..Default::default() })
    });
    set(event, 9, "the reason").expect("set");
    let failed = Err((9, "the reason".to_string()));
    assert_eq!(waiting.join().expect("no panic"), failed);
    assert!(is_ready(event));
    assert_eq!(call("PJRT_Event_Error", &mut EventError { event, ..Default::default() }), failed);
    // A callback that comes late is called at once.
    call("PJRT_Event_OnReady", &mut { on_ready }).expect("called");
    assert_eq!(*list.lock().expect("a list"), [failed.clone(), failed]);
    assert_eq!(set(event, 0, "").unwrap_err().1, "expected an event that is not set, found one that is");
    destroy(event);
}

#[test]
fn null_is_rejected_where_an_object_is_needed() {
    let mut args = EventIsReady::default();
    let text = "expected a pointer to an event, found null".to_string();
    assert_eq!(call("PJRT_Event_IsReady", &mut args), Err((3, text)));
    destroy(std::ptr::null_mut());
}
