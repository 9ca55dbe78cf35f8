//! Takes in a request's body before its handler runs: not more than a size, and within a time. A caller that sends
//! slowly, or stops in the middle, holds no connection for long.

use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use futures::StreamExt as _;
use tokio::time::timeout;

use crate::Problem;

/// What a body may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyBounds {
    pub(crate) bytes_max: usize,
    /// Without a byte arriving.
    pub(crate) pause_max: Duration,
    /// From the first byte to the last.
    pub(crate) within: Duration,
}

impl BodyBounds {
    pub(crate) const fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            pause_max: Duration::from_secs(30),
            within: Duration::from_secs(90),
        }
    }
}

/// The request with its whole body at hand.
pub(crate) async fn taken_in(request: Request, bounds: BodyBounds) -> Result<Request, Problem> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(request);
    }
    let (head, body) = request.into_parts();
    let read = timeout(bounds.within, read(body, bounds)).await;
    let whole = read.unwrap_or_else(|_| Err(too_slow("in all", bounds.within)))?;
    Ok(Request::from_parts(head, Body::from(whole)))
}

async fn read(body: Body, bounds: BodyBounds) -> Result<Vec<u8>, Problem> {
    let mut pieces = body.into_data_stream();
    let mut whole = Vec::new();
    loop {
        let piece = match timeout(bounds.pause_max, pieces.next()).await {
            Err(_) => return Err(too_slow("without a byte arriving", bounds.pause_max)),
            Ok(None) => return Ok(whole),
            Ok(Some(piece)) => piece,
        };
        let piece = piece
            .map_err(|error| Problem::malformed(format!("the body cannot be read: {error}")))?;
        if whole.len() + piece.len() > bounds.bytes_max {
            return Err(Problem::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "ADJ-9001",
                format!("the body has more than {} bytes", bounds.bytes_max),
                "Correct the request as described in the message; see /api/docs.",
            ));
        }
        whole.extend_from_slice(&piece);
    }
}

fn too_slow(how: &str, limit: Duration) -> Problem {
    Problem::new(
        StatusCode::REQUEST_TIMEOUT,
        "ADJ-9045",
        format!(
            "the body took too long: the limit is {} s {how}",
            limit.as_secs()
        ),
        "Send the whole body at once.",
    )
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use bytes::Bytes;
    use futures::stream;

    use super::*;

    const BOUNDS: BodyBounds = BodyBounds {
        bytes_max: 10,
        pause_max: Duration::from_millis(300),
        within: Duration::from_millis(600),
    };

    /// A body of `x`, one after each pause, without end.
    fn dripping(pause: Duration) -> Body {
        Body::from_stream(stream::unfold((), move |()| async move {
            tokio::time::sleep(pause).await;
            Some((Ok::<_, Infallible>(Bytes::from_static(b"x")), ()))
        }))
    }

    async fn refusal(body: Body) -> (u16, String, String) {
        let request = Request::post("/").body(body).unwrap();
        let problem = taken_in(request, BOUNDS).await.unwrap_err();
        (problem.status.as_u16(), problem.code, problem.message)
    }

    #[tokio::test]
    async fn a_body_that_stops_or_drips_is_refused() {
        let stops = stream::once(async { Ok::<_, Infallible>(Bytes::from_static(b"{")) });
        let stops = Body::from_stream(stops.chain(stream::pending()));
        let (status, code, message) = refusal(stops).await;
        assert_eq!((status, code.as_str()), (408, "ADJ-9045"));
        assert!(message.contains("without a byte"), "{message}");

        let (status, code, message) = refusal(dripping(Duration::from_millis(100))).await;
        assert_eq!((status, code.as_str()), (408, "ADJ-9045"));
        assert!(message.contains("in all"), "{message}");

        let (status, ..) = refusal(dripping(Duration::ZERO)).await;
        assert_eq!(status, 413);
    }

    #[tokio::test]
    async fn a_body_in_pieces_is_taken_in_whole() {
        let pieces = ["{\"a\"", ":1}"].map(|piece| Ok::<_, Infallible>(Bytes::from(piece)));
        let body = Body::from_stream(stream::iter(pieces));
        let request = Request::post("/").body(body).unwrap();
        let taken = taken_in(request, BOUNDS).await.unwrap();
        let whole = axum::body::to_bytes(taken.into_body(), 100).await.unwrap();
        assert_eq!(whole, "{\"a\":1}");
    }
}
