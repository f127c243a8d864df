//! The page of a check.

use super::error::PageError;
use super::html::PageParts;
use super::source::Source;

/// The page of a folder with a check.
///
/// # Errors
/// If a file is not what it should be.
pub fn page(source: &Source) -> Result<PageParts, PageError> {
    Err(PageError::input(source.path(), None, "holds a check"))
}
