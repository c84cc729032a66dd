//! Progress messages of long runs, on the error stream if that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// The delay before progress is shown.
const PATIENCE: Duration = Duration::from_millis(300);

/// The current step, and the times of all steps.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    step: Option<(&'static str, Instant)>,
    times: Vec<(&'static str, Duration)>,
}

impl Progress {
    pub fn new() -> Progress {
        // Drawn on the error stream, and only if it is a terminal.
        let bar = ProgressBar::new_spinner();
        bar.set_style(ProgressStyle::with_template("{spinner} {msg} ({elapsed})").expect("the template is constant"));
        Progress { bar, started: Instant::now(), step: None, times: vec![] }
    }

    /// Starts a step and ends the previous one.
    pub fn step(&mut self, name: &'static str) {
        self.close_step();
        self.step = Some((name, Instant::now()));
        self.bar.set_message(name);
        // The first tick draws the bar, after the delay.
        self.bar.enable_steady_tick(PATIENCE);
    }

    /// Ends the last step and removes the bar.
    pub fn finish(&mut self) {
        self.close_step();
        self.bar.finish_and_clear();
    }

    /// Formats one line per step: its name and milliseconds.
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
    /// Removes the bar in case of an error.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The progress of a run over cycles.
pub struct Cycles {
    bar: ProgressBar,
}

impl Cycles {
    /// Starts the display. `total` is `None` if it is unknown. Nothing is drawn if `is_wanted` is false or the error
    /// stream is not a terminal.
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
