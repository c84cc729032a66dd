//! Evaluation of effects: output and input, channels and tasks (`spec/functional.md` A.9, E). One task runs at a time,
//! until it ends or waits; the next one is the task that has been ready for the longest time. The evaluator knows every
//! waiting task, so it detects deadlocks exactly.

use super::value::Value;
use super::{Action, Error, Evaluator, Fault, Frame, at, ensure};
use crate::ir::{Attribute, Op};
use crate::lambda::TypeKind;
use crate::value::{Array, Data, Element};
use std::collections::VecDeque;

/// A task.
pub(super) struct Task {
    pub frames: Vec<Frame>,
    /// The action with which it continues.
    pub pending: Option<Action>,
    /// The op with which it continues.
    pub place: Op,
    /// The number of derivatives that are being computed in it.
    pub derivatives: usize,
    /// The event for which it waits.
    waiting: Option<Waiting>,
    result: Option<Result<Value, Error>>,
    /// The op that started it.
    origin: Op,
}

#[derive(Clone)]
struct Waiting {
    op: Op,
    on: Source,
}

#[derive(Clone, Copy, PartialEq)]
enum Source {
    Channel(usize),
    Task(usize),
}

pub(super) struct Channel {
    /// The maximum number of buffered values; with 0, senders wait for receivers.
    capacity: usize,
    values: VecDeque<Value>,
    senders: VecDeque<(usize, Value)>,
    receivers: VecDeque<usize>,
    is_closed: bool,
    origin: Op,
}

impl Evaluator {
    /// Returns the result of a call, after all tasks have ended.
    pub(super) fn run(&mut self, origin: Op, f: Value, arguments: Vec<Value>) -> Result<Value, Error> {
        self.tasks.clear();
        self.channels.clear();
        self.ready.clear();
        self.start(origin, f, arguments);
        let mut failed: Option<Error> = None;
        while let Some(task) = self.ready.pop_front() {
            self.current = task;
            let result = match self.run_task() {
                Ok(None) => continue,
                Ok(Some(mut values)) => Ok(if values.len() == 1 { values.remove(0) } else { Value::tuple(values) }),
                Err(error) => Err(error),
            };
            if let Err(error) = &result {
                failed.get_or_insert_with(|| error.clone());
            }
            self.end(task, result);
            if failed.is_some() && task == 0 {
                break;
            }
        }
        // The failure of a task ends the program, and with it the tasks that wait for it.
        let deadlock = self.deadlock();
        let result = self.tasks[0].result.take();
        self.tasks.clear();
        match (failed.or(deadlock), result) {
            (Some(error), _) => Err(error),
            (None, Some(result)) => result.map(|value| super::tape::firm(&value)),
            (None, None) => Err(at(origin, "internal error: a task must end or wait".into())),
        }
    }

    fn start(&mut self, origin: Op, f: Value, arguments: Vec<Value>) -> usize {
        self.tasks.push(Task {
            frames: Vec::new(),
            pending: Some(Action::Call(f, arguments)),
            place: origin,
            derivatives: 0,
            waiting: None,
            result: None,
            origin,
        });
        self.ready.push_back(self.tasks.len() - 1);
        self.tasks.len() - 1
    }

    /// Stores the result of a task, and passes it to the tasks that wait for it.
    fn end(&mut self, task: usize, result: Result<Value, Error>) {
        self.tasks[task].frames.clear();
        self.tasks[task].result = Some(result.clone());
        for k in 0..self.tasks.len() {
            if self.tasks[k].waiting.as_ref().is_some_and(|w| w.on == Source::Task(task)) {
                match &result {
                    Ok(value) => self.wake(k, Action::Return(vec![with_token(value.clone())])),
                    Err(error) => {
                        let error = error.clone();
                        self.tasks[k].waiting = None;
                        self.end(k, Err(error));
                    }
                }
            }
        }
    }

    fn wake(&mut self, task: usize, action: Action) {
        self.tasks[task].waiting = None;
        self.tasks[task].pending = Some(action);
        self.ready.push_back(task);
    }

    fn wait(&mut self, op: Op, on: Source) -> Result<Action, Fault> {
        let task = &mut self.tasks[self.current];
        task.waiting = Some(Waiting { op, on });
        task.place = op;
        Ok(Action::Wait)
    }

    /// Returns the deadlock error, if any tasks still wait.
    fn deadlock(&self) -> Option<Error> {
        let waiting: Vec<(usize, &Waiting)> =
            self.tasks.iter().enumerate().filter_map(|(k, task)| Some((k, task.waiting.as_ref()?))).collect();
        let (_, first) = waiting.first()?;
        let each: Vec<String> = waiting.iter().map(|(k, w)| self.told(*k, w)).collect();
        Some(at(first.op, Fault::new("deadlock", format!("all tasks wait; {}", each.join("; ")))))
    }

    /// Returns `task 1 (a.mlir:3:4) waits in 'lambda.recv' at a.mlir:5:6 for channel 0 (a.mlir:2:3)`.
    fn told(&self, task: usize, waiting: &Waiting) -> String {
        let who = match task {
            0 => "the program".to_string(),
            _ => format!("task {task} ({})", place(self.tasks[task].origin)),
        };
        let on = match waiting.on {
            Source::Channel(c) => format!("channel {c} ({})", place(self.channels[c].origin)),
            Source::Task(t) => format!("task {t} ({})", place(self.tasks[t].origin)),
        };
        format!("{who} waits in '{}' at {} for {on}", waiting.op.name(), place(waiting.op))
    }

    /// Evaluates ops that take a token.
    pub(super) fn effect(&mut self, op: Op, name: &str, x: Vec<Value>) -> Result<Action, Fault> {
        match name {
            "print" => {
                let line: Vec<String> = x[1..].iter().map(Value::to_string).collect();
                self.output += &(line.join(" ") + "\n");
                return Action::one(Value::Token);
            }
            "read" => {
                let value = self.read(op)?;
                return Action::one(with_token(value));
            }
            _ => {}
        }
        ensure(
            self.tasks[self.current].derivatives == 0,
            "effect-in-gradient",
            || "a function that sends or receives messages cannot be differentiated",
        )?;
        match name {
            "channel" => {
                let capacity = op.attribute("buffer").and_then(Attribute::as_i64).unwrap_or(0) as usize;
                self.channels.push(Channel {
                    capacity,
                    values: VecDeque::new(),
                    senders: VecDeque::new(),
                    receivers: VecDeque::new(),
                    is_closed: false,
                    origin: op,
                });
                Action::one(with_token(Value::Chan(self.channels.len() - 1)))
            }
            "send" => self.send(op, channel(&x[1])?, x[2].clone()),
            "recv" => self.recv(op, channel(&x[1])?),
            "close" => self.close(channel(&x[1])?),
            "spawn" => {
                let (f, given) = match op.callee() {
                    Some(name) => (Value::code(self.code(&name)?), &x[1..]),
                    None => (x[1].clone(), &x[2..]),
                };
                let task = self.start(op, f, [&[Value::Token], given].concat());
                Action::one(with_token(Value::Task(task)))
            }
            _ => self.join(op, &x[1]),
        }
    }

    fn send(&mut self, op: Op, c: usize, value: Value) -> Result<Action, Fault> {
        let channel = &mut self.channels[c];
        if channel.is_closed {
            return Err(closed(c));
        }
        if let Some(receiver) = channel.receivers.pop_front() {
            self.wake(receiver, Action::Return(vec![with_token(value)]));
            return Action::one(Value::Token);
        }
        if channel.values.len() < channel.capacity {
            channel.values.push_back(value);
            return Action::one(Value::Token);
        }
        channel.senders.push_back((self.current, value));
        self.wait(op, Source::Channel(c))
    }

    fn recv(&mut self, op: Op, c: usize) -> Result<Action, Fault> {
        let channel = &mut self.channels[c];
        let sender = channel.senders.pop_front();
        // Buffered values precede those of waiting senders.
        let value = match channel.values.pop_front() {
            Some(value) => {
                if let Some((_, next)) = &sender {
                    channel.values.push_back(next.clone());
                }
                Some(value)
            }
            None => sender.as_ref().map(|(_, value)| value.clone()),
        };
        let is_closed = channel.is_closed;
        if let Some((sender, _)) = sender {
            self.wake(sender, Action::Return(vec![Value::Token]));
        }
        match value {
            Some(value) => Action::one(with_token(value)),
            None if is_closed => Err(closed(c)),
            None => {
                self.channels[c].receivers.push_back(self.current);
                self.wait(op, Source::Channel(c))
            }
        }
    }

    /// Closes a channel. Tasks that wait at it are woken, and fail.
    fn close(&mut self, c: usize) -> Result<Action, Fault> {
        self.channels[c].is_closed = true;
        let receivers = std::mem::take(&mut self.channels[c].receivers);
        let senders = std::mem::take(&mut self.channels[c].senders);
        for task in receivers.into_iter().chain(senders.into_iter().map(|s| s.0)) {
            let fail = Action::Return(Vec::new()).then(move |_, _| Err(closed(c)));
            self.wake(task, fail);
        }
        Action::one(Value::Token)
    }

    fn join(&mut self, op: Op, task: &Value) -> Result<Action, Fault> {
        let Value::Task(task) = *task else { return Err(Fault::expected("a task", task)) };
        match &self.tasks[task].result {
            Some(Ok(value)) => Action::one(with_token(value.clone())),
            Some(Err(error)) => Err(Fault::new(error.code, format!("waits for a task that failed: {error}"))),
            None => self.wait(op, Source::Task(task)),
        }
    }

    /// Reads the number on the next line.
    fn read(&mut self, op: Op) -> Result<Value, Fault> {
        let Some(line) = self.input.pop_front() else {
            return Err("expected a line of input, found the end of the input".into());
        };
        let element = match TypeKind::of(op.result(0).ty()) {
            TypeKind::Tuple(parts) => parts.first().and_then(|ty| ty.element()),
            _ => None,
        };
        let (line, element) = (line.trim(), element.unwrap_or(Element::F64));
        let data = Data::parsed(line, element)
            .ok_or_else(|| format!("expected a value of type {element}, found the line `{line}`"))?;
        Ok(Value::array(Array::new(vec![], data)))
    }
}

fn with_token(value: Value) -> Value {
    Value::tuple(vec![value, Value::Token])
}

fn channel(x: &Value) -> Result<usize, Fault> {
    match x {
        Value::Chan(c) => Ok(*c),
        _ => Err(Fault::expected("a channel", x)),
    }
}

fn closed(c: usize) -> Fault {
    Fault::new("closed-channel", format!("channel {c} is closed"))
}

fn place(op: Op) -> String {
    op.location().place_text()
}
