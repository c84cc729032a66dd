//! Truth values in memory of other programs, of which each byte but 0 is true. Compiled code reads 0 and 1 only.

/// Checks whether all bytes are 0 or 1, so that compiled code can read them in place.
pub fn are_canonical(bytes: &[u8]) -> bool {
    bytes.iter().fold(0, |all, byte| all | byte) <= 1
}

/// Replaces all bytes but 0 by 1.
pub fn canonicalize(bytes: &mut [u8]) {
    bytes.iter_mut().for_each(|byte| *byte = (*byte != 0).into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_other_than_zero_are_true() {
        let mut bytes = [0, 1, 2, 255, 128];
        assert!(!are_canonical(&bytes) && are_canonical(&[]) && are_canonical(&[0, 1, 1]));
        canonicalize(&mut bytes);
        assert_eq!(bytes, [0, 1, 1, 1, 1]);
    }
}
