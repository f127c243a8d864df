//! Colours and dashes: those of Okabe and Ito, which colour-blind readers can tell apart, each
//! with a dash of its own for print in grey.

/// How the lines of one replica look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The colour.
    pub colour: &'static str,
    /// The dash of its lines; empty: solid.
    pub dash: &'static str,
}

const LOOKS: [Look; 8] = [
    Look { colour: "#0072b2", dash: "" },
    Look { colour: "#d55e00", dash: "4 1.4" },
    Look { colour: "#009e73", dash: "1.4 1.2" },
    Look { colour: "#cc79a7", dash: "5 1.2 1.2 1.2" },
    Look { colour: "#e69f00", dash: "7 1.6" },
    Look { colour: "#56b4e9", dash: "3 1 1 1 1 1" },
    Look { colour: "#000000", dash: "2.4 2.4" },
    Look { colour: "#8a7f00", dash: "8 1.2 2 1.2" },
];

/// The looks of a partition's replicas by slot. The first replica is mostly the leader, which
/// has no lag: it is drawn in grey as long as there are colours enough without.
pub fn look(slot: usize) -> Look {
    match slot {
        0 => Look { colour: "#595959", dash: "1 1" },
        slot => LOOKS[(slot - 1) % LOOKS.len()],
    }
}

/// Text.
pub const INK: &str = "#1a1a1a";
/// Text that steps back.
pub const SOFT_INK: &str = "#555";
/// Grid lines.
pub const GRID: &str = "#dcdcdc";
/// Axes.
pub const AXIS: &str = "#8c8c8c";
/// Fault windows in a panel, drawn with [`BAND_OPACITY`].
pub const BAND: &str = "#000";
/// See [`BAND`].
pub const BAND_OPACITY: f64 = 0.08;
/// Fault windows in their own strip.
pub const FAULT: &str = "#8c8c8c";

/// A colour mixed with so much white that it can stand under black marks.
pub fn tint(colour: &str) -> String {
    let channel = |at: usize| u8::from_str_radix(colour.get(at..at + 2).unwrap_or("00"), 16).unwrap_or(0);
    let mixed = [1, 3, 5].map(|at| {
        let value = u32::from(channel(at));
        (value * 42 + 255 * 58 + 50) / 100
    });
    format!("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tints_are_light() {
        assert_eq!(tint("#000000"), "#949494");
        assert_eq!(tint("#ffffff"), "#ffffff");
    }
}
