//! What a long run is doing, on the error stream of a terminal; silent in a pipe.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// Short runs show nothing.
const PATIENCE: Duration = Duration::from_millis(300);

/// Names the step that is under way and keeps the time that each step took.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    step: Option<(&'static str, Instant)>,
    times: Vec<(&'static str, Duration)>,
}

impl Progress {
    pub fn new() -> Progress {
        // Drawn to the error stream, and only if that is a terminal.
        let bar = ProgressBar::new_spinner();
        bar.set_style(ProgressStyle::with_template("{spinner} {msg} ({elapsed})").expect("the template is constant"));
        Progress { bar, started: Instant::now(), step: None, times: vec![] }
    }

    /// The step before is over, this one begins.
    pub fn step(&mut self, name: &'static str) {
        self.close_step();
        self.step = Some((name, Instant::now()));
        self.bar.set_message(name);
        // The first tick draws the bar: the program is slow enough to be watched by then.
        self.bar.enable_steady_tick(PATIENCE);
    }

    /// The last step is over; the bar disappears.
    pub fn finish(&mut self) {
        self.close_step();
        self.bar.finish_and_clear();
    }

    /// One line per step: its name and milliseconds.
    pub fn times(&self) -> String {
        let mut text = String::new();
        for (name, time) in &self.times {
            text += &format!("{name:<12} {:>10.3} ms\n", time.as_secs_f64() * 1e3);
        }
        text + &format!("{:<12} {:>10.3} ms\n", "total", self.started.elapsed().as_secs_f64() * 1e3)
    }

    fn close_step(&mut self) {
        if let Some((name, since)) = self.step.take() {
            self.times.push((name, since.elapsed()));
        }
    }
}

impl Default for Progress {
    fn default() -> Progress {
        Progress::new()
    }
}

impl Drop for Progress {
    /// An error leaves no half-drawn line behind.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// How far a run over cycles is.
pub struct Cycles {
    bar: ProgressBar,
}

impl Cycles {
    /// `total` is `None` where nobody knows. Nothing is drawn if it is not wanted, or not to a terminal.
    pub fn new(total: Option<usize>, is_wanted: bool) -> Cycles {
        let bar = match total {
            _ if !is_wanted => ProgressBar::hidden(),
            Some(n) => ProgressBar::new(n as u64),
            None => ProgressBar::new_spinner(),
        };
        let known = "{wide_bar} {human_pos} of {human_len} cycles ({eta})";
        let template = if total.is_some() { known } else { "{spinner} {human_pos} cycles ({per_sec})" };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is constant"));
        Cycles { bar }
    }

    pub fn at(&self, cycle: usize) {
        if self.bar.elapsed() > PATIENCE {
            self.bar.set_position(cycle as u64);
        }
    }
}

impl Drop for Cycles {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
