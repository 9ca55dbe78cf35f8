#!/bin/sh
# The user that Adjutant connects as, and its database. Run once, by the image, when the database is empty.
# One login for everything: it owns the tables and can turn row security off, of which `serve` reminds you (ADJ-3136). Where the
# database itself is to keep tenants apart, make two logins as in docs/postgresql.md.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$ADJUTANT_DB_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE adjutant_app NOLOGIN;
CREATE ROLE adjutant_waker NOLOGIN;
CREATE ROLE adjutant LOGIN PASSWORD :'password';
GRANT adjutant_app, adjutant_waker TO adjutant;
CREATE DATABASE adjutant;
\connect adjutant
CREATE SCHEMA adjutant AUTHORIZATION adjutant;
SQL
