//! The page's content security policy: nothing is fetched from anywhere, and no script runs but
//! the page's own, whatever a page should come to hold.

use sha2::{Digest, Sha256};

/// The policy of a page with these scripts.
pub fn policy(scripts: &[&str]) -> String {
    let hashes: Vec<String> = scripts
        .iter()
        .map(|script| format!("'sha256-{}'", base64(&Sha256::digest(script.as_bytes()))))
        .collect();
    format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hashes.join(" ")
    )
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let is_there = digit <= chunk.len();
            let sextet = (word >> (18 - 6 * digit) & 63) as usize;
            text.push(if is_there { char::from(ALPHABET[sextet]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_rfc_4648_has_them() {
        for (bytes, wanted) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), wanted);
        }
    }

    #[test]
    fn only_the_scripts_themselves_are_allowed() {
        let wanted = "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; img-src data:";
        assert!(policy(&[""]).contains(wanted), "{}", policy(&[""]));
    }
}
