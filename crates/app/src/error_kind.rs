//! What a failure means to a caller: the exit code of the command line and the status over HTTP, in one table. Every
//! code of Adjutant belongs to one kind; codes that cross a process boundary are classified here again.

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Something that was given is wrong.
    BadInput,
    /// Something that was named does not exist.
    NotFound,
    /// It existed, and was erased or pruned.
    Gone,
    /// It does not fit the present state; later or after another step it may.
    Conflict,
    /// The caller may not do this.
    Forbidden,
    /// A mission failed or was cancelled, or a check did not pass.
    NotGood,
    /// A person must decide first.
    WaitingForHuman,
    /// A store, a disk, a network or another program does not do its part; the same request may succeed later.
    Unavailable,
    /// A quota is used up.
    QuotaReached,
    /// A key or a file does not fit what it is used on.
    Unreadable,
    /// A defect of Adjutant, or stored data that is damaged.
    Internal,
    /// The reader of the output closed it: there is nobody to tell.
    OutputClosed,
}

impl ErrorKind {
    /// The exit code. The numbers are part of the command line's contract.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::OutputClosed => 0,
            Self::NotGood => 1,
            Self::BadInput
            | Self::NotFound
            | Self::Gone
            | Self::Conflict
            | Self::Forbidden
            | Self::Unreadable => 2,
            Self::WaitingForHuman => 3,
            Self::Unavailable | Self::QuotaReached | Self::Internal => 4,
        }
    }

    pub fn http_status(self) -> u16 {
        match self {
            Self::BadInput | Self::NotGood => 422,
            Self::NotFound => 404,
            Self::Gone => 410,
            Self::Conflict | Self::WaitingForHuman => 409,
            Self::Forbidden => 403,
            Self::Unavailable => 503,
            Self::QuotaReached => 507,
            Self::Unreadable | Self::Internal | Self::OutputClosed => 500,
        }
    }

    /// The kind that a code belongs to.
    pub fn from_code(code: &str) -> Self {
        let Some(number) = code.strip_prefix("ADJ-") else {
            return Self::Internal;
        };
        let Ok(number) = number.parse::<u16>() else {
            return Self::Internal;
        };
        match number {
            1000..=1999 => Self::BadInput,
            2000..=2999 => Self::from_refusal(number),
            3000..=3999 => Self::from_store(number),
            4000..=4999 => Self::from_journal(number),
            5000..=5999 => Self::from_host(number),
            6173 | 6174 | 6185 | 6187 | 6192 | 6197 | 6198 => Self::Forbidden,
            6186 | 6203 => Self::Conflict,
            6188..=6191 | 6194 | 6200..=6202 => Self::BadInput,
            6193 => Self::NotGood,
            6204 => Self::Internal,
            6226..=6228 | 6236 | 6237 => Self::Forbidden,
            6229 | 6230 => Self::Conflict,
            6241 => Self::WaitingForHuman,
            6232 | 6234 | 6239 => Self::NotFound,
            6210..=6213 | 6220..=6251 | 6254..=6256 => Self::BadInput,
            6252 | 6253 => Self::NotGood,
            6257 => Self::NotFound,
            6258 => Self::Forbidden,
            6259 => Self::Conflict,
            6260..=6262 | 6270 | 6272 => Self::BadInput,
            6271 => Self::Unreadable,
            6300 | 6302 | 6303 | 6310..=6319 => Self::BadInput,
            6304..=6309 => Self::NotGood,
            7007 => Self::NotFound,
            7009 | 7010 => Self::Conflict,
            7000..=7999 => Self::BadInput,
            8001..=8003 => Self::NotFound,
            8004 | 8005 | 8011 => Self::Unavailable,
            8000..=8999 => Self::BadInput,
            _ => Self::Unavailable,
        }
    }

    /// Commands that a mission refuses.
    fn from_refusal(number: u16) -> Self {
        match number {
            2010 => Self::NotFound,
            2013 | 2014 => Self::Forbidden,
            2015..=2018 => Self::BadInput,
            2099 => Self::Internal,
            _ => Self::Conflict,
        }
    }

    fn from_store(number: u16) -> Self {
        match number {
            3061..=3068 => Self::BadInput,
            3111 => Self::BadInput,
            3102 | 3103 | 3110 | 3112..=3117 => Self::Internal,
            _ => Self::Unavailable,
        }
    }

    /// Keys, seals, exports and backups.
    fn from_journal(number: u16) -> Self {
        match number {
            4005 => Self::Gone,
            4006 | 4023 => Self::Conflict,
            4001..=4004 => Self::Internal,
            4025 => Self::Unavailable,
            _ => Self::Unreadable,
        }
    }

    fn from_host(number: u16) -> Self {
        match number {
            5001 => Self::NotFound,
            5002 | 5005 | 5007 => Self::Internal,
            5006 => Self::QuotaReached,
            5008 | 5027 => Self::Forbidden,
            5021..=5023 | 5025 | 5026 => Self::Conflict,
            _ => Self::Unavailable,
        }
    }
}

#[cfg(test)]
#[path = "error_kind_tests.rs"]
mod tests;
