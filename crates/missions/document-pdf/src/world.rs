//! What the typesetter may see: the template, the data, the pictures and the built-in fonts. It has no files,
//! no packages, no network and no clock.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};

use crate::PdfRefusal;

const TEMPLATE: &str = include_str!("template.typ");
const MAIN: &str = "template.typ";
const DATA: &str = "document.json";

/// The fonts, and what all documents share.
struct Shop {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
}

static SHOP: LazyLock<Shop> = LazyLock::new(|| {
    let fonts: Vec<Font> = adjutant_charts::fonts()
        .into_iter()
        .chain(typst_assets::fonts())
        .flat_map(|bytes| Font::iter(Bytes::new(bytes)))
        .collect();
    Shop {
        library: LazyHash::new(<Library as LibraryExt>::default()),
        book: LazyHash::new(FontBook::from_fonts(&fonts)),
        fonts,
    }
});

pub(crate) struct Room {
    template: Source,
    /// By their paths.
    files: BTreeMap<String, Bytes>,
}

impl Room {
    pub(crate) fn new(data: String, pictures: Vec<(String, String)>) -> Result<Self, PdfRefusal> {
        let path = VirtualPath::new(MAIN).map_err(|_| PdfRefusal::Name(MAIN))?;
        let main = RootedPath::new(VirtualRoot::Project, path).intern();
        let pictures = pictures
            .into_iter()
            .map(|(name, svg)| (name, Bytes::from_string(svg)));
        Ok(Self {
            template: Source::new(main, TEMPLATE.to_owned()),
            files: pictures
                .chain([(DATA.to_owned(), Bytes::from_string(data))])
                .collect(),
        })
    }
}

fn absent(id: FileId) -> FileError {
    FileError::NotFound(id.get().vpath().get_without_slash().into())
}

impl World for Room {
    fn library(&self) -> &LazyHash<Library> {
        &SHOP.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &SHOP.book
    }

    fn main(&self) -> FileId {
        self.template.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.template.id() {
            Ok(self.template.clone())
        } else {
            Err(absent(id))
        }
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        let path = id.get();
        // A package might have files of the same names.
        if *path.root() != VirtualRoot::Project {
            return Err(absent(id));
        }
        self.files
            .get(path.vpath().get_without_slash())
            .cloned()
            .ok_or_else(|| absent(id))
    }

    fn font(&self, index: usize) -> Option<Font> {
        SHOP.fonts.get(index).cloned()
    }

    fn today(&self, _offset: Option<Duration>) -> Option<Datetime> {
        None
    }
}
