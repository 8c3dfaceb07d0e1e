//! What must hold of a rendered page: no id comes twice, and no link leads nowhere or to a foreign scheme.

use std::collections::BTreeSet;

/// How a page contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// Two elements have the same id.
    #[error("the page has two elements `{0}`")]
    Twice(String),
    /// A link leads nowhere.
    #[error("the page links to `{0}`, which it does not have")]
    Missing(String),
    /// An address is none of the web. It could run code.
    #[error("the page links to `{0}`, which starts with neither https:// nor http://")]
    Address(String),
}

/// Checks the ids and links of a page. Its texts are escaped, so a quotation mark always ends an attribute.
pub(super) fn check(html: &str) -> Result<(), PageError> {
    let mut ids = BTreeSet::new();
    if let Some(id) = values(html, " id=\"").find(|id| !ids.insert(*id)) {
        return Err(PageError::Twice(id.to_owned()));
    }
    let schemes = ["https://", "http://", "../", "data:,"];
    for address in values(html, " href=\"") {
        match address.strip_prefix('#') {
            Some(id) if ids.contains(id) => {}
            Some(id) => return Err(PageError::Missing(id.to_owned())),
            None if schemes.iter().any(|scheme| address.starts_with(scheme)) => {}
            None => return Err(PageError::Address(address.to_owned())),
        }
    }
    Ok(())
}

/// The values of an attribute.
fn values<'h>(html: &'h str, attribute: &'static str) -> impl Iterator<Item = &'h str> {
    html.split(attribute).skip(1).filter_map(|rest| rest.split_once('"').map(|(value, _)| value))
}
