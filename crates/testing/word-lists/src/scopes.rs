//! Which lists may hold which words. A list that is not declared is general.

/// What of a list is held against the samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// A general list: neither names nor words that are characteristic of one sample.
    WordsAndNames,
    /// A list of a field, or of the program's own words: its words may be those of a sample, its names may not.
    NamesOnly,
    /// A list that was taken whole from elsewhere or computed, so that nobody chose its words; or a list of names.
    Nothing,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// A file or folder, from the root of the tree.
    pub path: String,
    /// One list of the file; all of them if there is none.
    pub list: Option<String>,
    pub compared: Compared,
    /// Names that it may hold, because they are real ones.
    pub except: Vec<String>,
    pub because: String,
}

impl Scope {
    pub fn covers(&self, file: &str, list: &str) -> bool {
        let inside = file
            .strip_prefix(self.path.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        inside && self.list.as_ref().is_none_or(|name| name == list)
    }
}

/// Reads `path [list] | general, names or nothing | because | real names`.
pub fn scopes(text: &str) -> Result<Vec<Scope>, String> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut fields = line.split('|').map(str::trim);
            let mut next = || fields.next().unwrap_or_default();
            let (place, compared, because, except) = (next(), next(), next(), next());
            let mut place = place.split_whitespace();
            let compared = match compared {
                "general" => Compared::WordsAndNames,
                "names" => Compared::NamesOnly,
                "nothing" => Compared::Nothing,
                other => return Err(format!("`{other}` is no scope in: {line}")),
            };
            if because.is_empty() {
                return Err(format!("no reason is given in: {line}"));
            }
            Ok(Scope {
                path: place.next().unwrap_or_default().to_owned(),
                list: place.next().map(str::to_owned),
                compared,
                except: except
                    .split(',')
                    .map(|word| word.trim().to_lowercase())
                    .collect(),
                because: because.to_owned(),
            })
        })
        .collect()
}
