//! Tests of the layouts and texts of pictures.

use mlopt_drawing::boxes::packed;
use mlopt_drawing::diagram::{escaped, shade};
use mlopt_drawing::layers::{At, Link, layers, place};

#[test]
fn boxes_of_a_row_do_not_overlap() {
    let sizes: Vec<At> =
        (0..20).map(|k| At { along: 40.0 + 13.0 * (k % 5) as f64, across: 30.0 + 7.0 * (k % 3) as f64 }).collect();
    let (places, whole) = packed(&sizes, 0.0);
    for (k, (a, s)) in places.iter().zip(&sizes).enumerate() {
        assert!(a.along + s.along <= whole.along && a.across + s.across <= whole.across);
        for (b, t) in places.iter().zip(&sizes).take(k) {
            let apart = a.along >= b.along + t.along || b.along >= a.along + s.along;
            assert!(apart || a.across >= b.across + t.across || b.across >= a.across + s.across, "{a:?} {b:?}");
        }
    }
    assert!(whole.along < 4.0 * whole.across && whole.across < 4.0 * whole.along, "{whole:?}");
}

#[test]
fn shades_are_those_of_their_hues() {
    // The values of `hsl(120, 60%, 50%)` and similar colours.
    assert_eq!(shade(0.0, 0.5), "#cc3333");
    assert_eq!(shade(120.0, 0.5), "#33cc33");
    assert_eq!(shade(240.0, 0.5), "#3333cc");
    assert_eq!(shade(60.0, 0.86), "#f1f1c6");
}

#[test]
fn text_is_escaped() {
    assert_eq!(escaped("a<b>&\u{1}\n"), "a&lt;b&gt;&amp;\u{fffd}\n");
}

const BOX: At = At { along: 40.0, across: 100.0 };

fn link(from: usize, to: usize, is_weak: bool) -> Link {
    Link { from, to, out: 50.0, into: 50.0, trunk: 0, is_weak }
}

#[test]
fn circles_break_at_weak_links() {
    // 0 → 1 → 2, with a link back from 2 to 1 and one from 1 to itself.
    let links = [link(2, 1, true), link(0, 1, false), link(1, 2, false), link(1, 1, true)];
    assert_eq!(layers(3, &links), [0, 1, 2]);
    // The same cycle, broken at the other link.
    let links = [link(2, 1, false), link(0, 1, false), link(1, 2, true)];
    assert_eq!(layers(3, &links), [0, 1, 0]);
    // Without a cycle, a weak link has no effect.
    assert_eq!(layers(2, &[link(0, 1, true)]), [0, 1]);
    // An arbitrary link of the cycle, if none is weak.
    assert_eq!(layers(2, &[link(0, 1, false), link(1, 0, false)]), [0, 1]);
}

#[test]
fn boxes_do_not_overlap_and_links_arrive_from_before() {
    let links: Vec<Link> =
        (0..12).flat_map(|k| [link(k, (k * 5 + 3) % 12, k % 3 == 0), link(k, (k * 7 + 1) % 12, false)]).collect();
    let layout = place(&[BOX; 12], &links);
    for (k, a) in layout.boxes.iter().enumerate() {
        for b in &layout.boxes[..k] {
            let is_apart = (a.across - b.across).abs() >= BOX.across || (a.along - b.along).abs() >= BOX.along;
            assert!(is_apart, "{a:?} {b:?}");
        }
    }
    for (link, path) in links.iter().zip(&layout.paths) {
        let (from, to) = (layout.boxes[link.from], layout.boxes[link.to]);
        let is_near = |a: At, along: f64, across: f64| (a.along - along).abs() + (a.across - across).abs() < 1e-6;
        assert!(is_near(path[0], from.along + BOX.along, from.across + 50.0), "{:?} {from:?}", path[0]);
        let [.., before, end] = path[..] else { panic!("a path has a curve") };
        assert!(is_near(end, to.along, to.across + 50.0), "{end:?} {to:?}");
        assert!(before.along < end.along, "{before:?} {end:?}");
    }
}

#[test]
fn links_of_one_box_share_their_way() {
    // 0 leads to each box of a chain 1 → 2 → 3 → 4.
    let chain = (1..4).map(|k| link(k, k + 1, false));
    let links: Vec<Link> = (1..5).map(|k| link(0, k, false)).chain(chain).collect();
    let layout = place(&[BOX; 5], &links);
    assert_eq!(layout.paths[3][..layout.paths[2].len() - 3], layout.paths[2][..layout.paths[2].len() - 3]);
}
