//! How wide a text is in Noto Sans, so that a figure can be laid out without any font.

/// Advances of the printable ASCII characters from the blank on, thousandths of the font size.
#[rustfmt::skip]
const REGULAR: [u16; 95] = [
    260, 269, 408, 646, 572, 831, 732, 225, 300, 300, 551, 572, 268, 322, 268, 372, 572, 572, 572,
    572, 572, 572, 572, 572, 572, 572, 268, 268, 572, 572, 572, 434, 899, 639, 650, 632, 730, 556,
    519, 728, 741, 339, 273, 619, 524, 907, 760, 781, 605, 781, 622, 549, 556, 731, 600, 930, 586,
    566, 572, 329, 372, 329, 572, 444, 281, 561, 615, 480, 615, 564, 344, 615, 618, 258, 258, 534,
    258, 935, 618, 605, 615, 615, 413, 479, 361, 618, 508, 786, 529, 510, 470, 380, 551, 380, 572,
];

/// The same in bold.
#[rustfmt::skip]
const BOLD: [u16; 95] = [
    260, 286, 472, 646, 572, 901, 750, 266, 339, 339, 545, 572, 285, 322, 285, 413, 572, 572, 572,
    572, 572, 572, 572, 572, 572, 572, 285, 285, 572, 572, 572, 477, 897, 690, 672, 637, 740, 560,
    549, 724, 765, 389, 331, 664, 565, 943, 813, 796, 628, 796, 660, 551, 579, 756, 650, 967, 667,
    624, 579, 331, 413, 331, 572, 411, 362, 604, 633, 514, 633, 591, 387, 633, 657, 305, 305, 620,
    305, 982, 657, 619, 633, 633, 454, 497, 434, 657, 569, 856, 578, 569, 488, 394, 551, 394, 572,
];

/// The width of `text` at a font size, in the unit of the size. What is not ASCII counts as
/// wide, so that there is rather too much room than too little.
pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    let advances = if bold { &BOLD } else { &REGULAR };
    let thousandths: u64 = text
        .chars()
        .map(|c| match c {
            ' '..='~' => u64::from(advances[c as usize - 0x20]),
            '…' => 820,
            '\u{80}'..='\u{24ff}' => 650,
            _ => 1_000,
        })
        .sum();
    thousandths as f64 * size / 1_000.0
}

/// The longest beginning of `text` that is no wider than `width_max`, with an ellipsis where
/// something is missing.
pub fn fitted(text: &str, size: f64, bold: bool, width_max: f64) -> String {
    if text_width(text, size, bold) <= width_max {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if text_width(&format!("{kept}…"), size, bold) > width_max {
            kept.pop();
            break;
        }
    }
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(fitted("broker 1", 7.0, false, 100.0), "broker 1");
        let cut = fitted("a-very-long-name-of-a-fault", 7.0, false, 50.0);
        assert!(cut.ends_with('…') && text_width(&cut, 7.0, false) <= 50.0, "{cut}");
    }

    #[test]
    fn bold_is_wider() {
        assert!(text_width("criterion", 8.0, true) > text_width("criterion", 8.0, false));
    }
}
