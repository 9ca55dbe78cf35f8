//! The store on one SQLite file: WAL, full durability, one writer thread with group commit.
