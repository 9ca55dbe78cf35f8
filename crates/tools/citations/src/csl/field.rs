//! The text fields of a record, with their CSL names.

macro_rules! fields {
    ($( $variant:ident = $word:literal ),+ $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Field {
            $( $variant, )+
        }

        impl Field {
            pub(crate) const ALL: &[Field] = &[$( Self::$variant ),+];

            pub(crate) fn name(self) -> &'static str {
                match self {
                    $( Self::$variant => $word, )+
                }
            }
        }
    };
}

fields! {
    Title = "title",
    Container = "container-title",
    ContainerShort = "container-title-short",
    Collection = "collection-title",
    Event = "event-title",
    Publisher = "publisher",
    Place = "publisher-place",
    Authority = "authority",
    Genre = "genre",
    Medium = "medium",
    Volume = "volume",
    Issue = "issue",
    Number = "number",
    Page = "page",
    Edition = "edition",
    Version = "version",
    Doi = "DOI",
    Pmid = "PMID",
    Pmcid = "PMCID",
    Isbn = "ISBN",
    Issn = "ISSN",
    Url = "URL",
    Language = "language",
    Keyword = "keyword",
    Note = "note",
    Abstract = "abstract",
}
