use zeroize::Zeroizing;

/// An API key. Never shown, wiped when dropped.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(Zeroizing::new(text.into()))
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A text without the key in it.
pub(crate) fn redacted(text: String, secret: Option<&Secret>) -> String {
    match secret.map(Secret::expose) {
        Some(key) if !key.is_empty() && text.contains(key) => text.replace(key, "(key)"),
        _ => text,
    }
}
