use super::*;

#[test]
fn codes_keep_the_exit_code_and_status_that_callers_rely_on() {
    for (code, exit, status) in [
        ("ADJ-1000", 2, 422),
        ("ADJ-2002", 2, 409),
        ("ADJ-2010", 2, 404),
        ("ADJ-2014", 2, 403),
        ("ADJ-2017", 2, 422),
        ("ADJ-2099", 4, 500),
        ("ADJ-3001", 4, 503),
        ("ADJ-3064", 2, 422),
        ("ADJ-3103", 4, 500),
        ("ADJ-3111", 2, 422),
        ("ADJ-3113", 4, 500),
        ("ADJ-4003", 4, 500),
        ("ADJ-4005", 2, 410),
        ("ADJ-4006", 2, 409),
        ("ADJ-4014", 2, 500),
        ("ADJ-4025", 4, 503),
        ("ADJ-5001", 2, 404),
        ("ADJ-5003", 4, 503),
        ("ADJ-5006", 4, 507),
        ("ADJ-5021", 2, 409),
        ("ADJ-6200", 2, 422),
        ("ADJ-6191", 2, 422),
        ("ADJ-6192", 2, 403),
        ("ADJ-6193", 1, 422),
        ("ADJ-6221", 2, 422),
        ("ADJ-6228", 2, 403),
        ("ADJ-6230", 2, 409),
        ("ADJ-6234", 2, 404),
        ("ADJ-7002", 2, 422),
        ("ADJ-7007", 2, 404),
        ("ADJ-7010", 2, 409),
        ("ADJ-8002", 2, 404),
        ("ADJ-8004", 4, 503),
        ("ADJ-9013", 4, 503),
        ("nonsense", 4, 500),
    ] {
        let kind = ErrorKind::from_code(code);
        assert_eq!(
            (kind.exit_code(), kind.http_status()),
            (exit, status),
            "{code}"
        );
    }
}
