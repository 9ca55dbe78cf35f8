//! An answer as a browser sends it: a form of three fields, read strictly. What is not such a form is refused whole.

use adjutant_mission::{Decision, OptionKey, Verdict};
use axum::http::{HeaderMap, StatusCode, header};

use crate::Problem;
use crate::routes::WORDS_CHARS_MAX;

const FORM: &str = "application/x-www-form-urlencoded";

/// What somebody chose and wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnswerForm {
    verdict: Verdict,
    option: Option<OptionKey>,
    note: String,
}

impl AnswerForm {
    pub(crate) fn read(headers: &HeaderMap, body: &[u8]) -> Result<Self, Problem> {
        let kind = headers.get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case(FORM) {
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return Err(unreadable(status, format!("it is not {FORM}")));
        }
        Self::parse(body).map_err(|why| unreadable(StatusCode::BAD_REQUEST, why))
    }

    fn parse(body: &[u8]) -> Result<Self, String> {
        let body = std::str::from_utf8(body).map_err(|_| "it is not UTF-8")?;
        let (mut verdict, mut option, mut note) = (None, None, None);
        for field in body.split('&') {
            let (name, value) = field.split_once('=').ok_or("a field has no value")?;
            let (name, value) = (decoded(name)?, decoded(value)?);
            let place = match name.as_str() {
                "verdict" => &mut verdict,
                "option" => &mut option,
                "note" => &mut note,
                other => return Err(format!("it has an unknown field `{other:.40}`")),
            };
            if place.replace(value).is_some() {
                return Err(format!("it has the field `{name}` twice"));
            }
        }
        let verdict = match verdict.as_deref() {
            Some("approve") => Verdict::Approve,
            Some("modify") => Verdict::Modify,
            Some("reject") => Verdict::Reject,
            Some(_) => return Err("its `verdict` is not approve, modify or reject".into()),
            None => return Err("it has no `verdict`".into()),
        };
        let option = option
            .map(OptionKey::new)
            .transpose()
            .map_err(|error| format!("its `option` cannot be one: {error}"))?;
        // Browsers end lines in their own way.
        let note = note.unwrap_or_default().replace("\r\n", "\n");
        if note.chars().count() > WORDS_CHARS_MAX {
            return Err(format!(
                "its `note` has more than {WORDS_CHARS_MAX} characters"
            ));
        }
        Ok(Self {
            verdict,
            option,
            note,
        })
    }

    /// The decision that it is. Only a yes is a yes to an option: whichever was marked when another button was
    /// pressed means nothing.
    pub(crate) fn decision(self) -> Decision {
        let option = match self.verdict {
            Verdict::Approve => self.option,
            Verdict::Modify | Verdict::Reject => None,
        };
        Decision {
            option,
            note: self.note.trim().to_owned(),
            ..Decision::new(self.verdict)
        }
    }
}

fn unreadable(status: StatusCode, why: String) -> Problem {
    Problem::new(
        status,
        "ADJ-9062",
        format!("the form cannot be read: {why}"),
        "Open the link in the mail again, and answer with the form there.",
    )
}

/// A name or a value without its escapes. What is not a whole escape is an error.
fn decoded(text: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                let pair = digit().zip(digit());
                let (high, low) = pair.ok_or("it has a broken escape")?;
                u8::try_from(high * 16 + low).unwrap_or_default()
            }
            other => other,
        });
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read() {
        let form = AnswerForm::parse(b"option=left&note=so%2C+%C3%A4%0D%0Athen%26&verdict=approve");
        let decision = form.unwrap().decision();
        assert_eq!(decision.verdict, Verdict::Approve);
        assert_eq!(decision.option, Some(OptionKey::new("left").unwrap()));
        assert_eq!(decision.note, "so, \u{e4}\nthen&");
        let form = AnswerForm::parse(b"verdict=reject&option=left&note=").unwrap();
        assert_eq!(form.decision(), Decision::new(Verdict::Reject));
    }

    #[test]
    fn what_is_no_such_form_is_refused() {
        let long = format!("verdict=approve&note={}", "x".repeat(WORDS_CHARS_MAX + 1));
        for (body, why) in [
            ("", "no value"),
            ("verdict", "no value"),
            ("note=x", "no `verdict`"),
            ("verdict=", "not approve"),
            ("verdict=Approve", "not approve"),
            ("verdict=approve&", "no value"),
            ("verdict=approve&verdict=reject", "twice"),
            ("verdict=approve&%76erdict=reject", "twice"),
            ("verdict=approve&by=bo", "unknown field"),
            ("verdict=approve&note=%", "escape"),
            ("verdict=approve&note=%4", "escape"),
            ("verdict=approve&note=%zz", "escape"),
            ("verdict=approve&note=%ff", "UTF-8"),
            ("verdict=approve&option=", "option"),
            ("verdict=approve&option=a%20b", "option"),
            (&long, "8000"),
        ] {
            let told = AnswerForm::parse(body.as_bytes()).unwrap_err();
            assert!(told.contains(why), "{body:.40}: {told}");
        }
        assert!(AnswerForm::parse(b"verdict=\xff").is_err());
    }

    #[test]
    fn a_form_must_say_that_it_is_one() {
        let body = b"verdict=approve";
        for (kind, status) in [
            (Some("application/x-www-form-urlencoded"), None),
            (
                Some("Application/X-WWW-Form-Urlencoded; charset=UTF-8"),
                None,
            ),
            (Some("text/plain"), Some(415)),
            (Some("application/json"), Some(415)),
            (Some("multipart/form-data; boundary=x"), Some(415)),
            (None, Some(415)),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(kind) = kind {
                headers.insert(header::CONTENT_TYPE, kind.parse().unwrap());
            }
            let refused = AnswerForm::read(&headers, body).err();
            let refused = refused.map(|problem| problem.status.as_u16());
            assert_eq!(refused, status, "{kind:?}");
        }
    }
}
