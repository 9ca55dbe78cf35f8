//! Makes up for faults of the library underneath before it sees a PDF.

use std::collections::BTreeSet;

use pdf_extract::{Document as Pdf, Object, ObjectId};

/// Of glyphs whose widths are written out, in a whole file.
const WIDTHS_MAX: usize = 1_000_000;

pub(super) fn repair(pdf: &mut Pdf) {
    empty_pictures(pdf);
    write_out_widths(pdf);
}

/// It takes pictures for drawings with text in them. Without their data it passes over them.
fn empty_pictures(pdf: &mut Pdf) {
    for object in pdf.objects.values_mut() {
        if let Object::Stream(stream) = object
            && stream
                .dict
                .get(b"Subtype")
                .and_then(Object::as_name)
                .is_ok_and(|name| name == b"Image")
        {
            stream.content = Vec::new();
            stream.dict.remove(b"Filter");
        }
    }
}

/// It takes no notice of a width given for a range of glyphs, so every glyph is given its own.
fn write_out_widths(pdf: &mut Pdf) {
    let mut left = WIDTHS_MAX;
    let mut elsewhere: BTreeSet<ObjectId> = BTreeSet::new();
    for object in pdf.objects.values_mut() {
        let Object::Dictionary(font) = object else {
            continue;
        };
        match font.get_mut(b"W") {
            Ok(Object::Array(widths)) => *widths = written_out(widths, &mut left),
            Ok(Object::Reference(id)) => {
                elsewhere.insert(*id);
            }
            _ => {}
        }
    }
    for id in elsewhere {
        if let Some(Object::Array(widths)) = pdf.objects.get_mut(&id) {
            *widths = written_out(widths, &mut left);
        }
    }
}

fn written_out(widths: &[Object], left: &mut usize) -> Vec<Object> {
    let mut out = Vec::with_capacity(widths.len());
    let mut rest = widths;
    loop {
        rest = match rest {
            [
                first,
                list @ (Object::Array(_) | Object::Reference(_)),
                after @ ..,
            ] => {
                out.extend([first.clone(), list.clone()]);
                after
            }
            [
                Object::Integer(first),
                Object::Integer(last),
                width,
                after @ ..,
            ] => {
                let count = last
                    .checked_sub(*first)
                    .and_then(|span| usize::try_from(span).ok())
                    .map_or(0, |span| span.saturating_add(1));
                if count > *left {
                    return out;
                }
                *left -= count;
                let each = vec![width.clone(); count];
                out.extend([Object::Integer(*first), Object::Array(each)]);
                after
            }
            _ => return out,
        };
    }
}
