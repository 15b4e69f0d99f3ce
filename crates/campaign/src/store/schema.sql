CREATE TABLE campaign (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, seed INTEGER NOT NULL, file TEXT NOT NULL, plan TEXT NOT NULL,
  started INTEGER NOT NULL, ended INTEGER, stop_reason TEXT, reports_a_week INTEGER NOT NULL);
-- A strategy on a target, or an exploration. `next` is the first batch that was never handed out.
CREATE TABLE lane (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, strategy TEXT NOT NULL, subject TEXT NOT NULL, share REAL NOT NULL,
  active INTEGER NOT NULL, batches INTEGER, next INTEGER NOT NULL DEFAULT 0, micros INTEGER NOT NULL DEFAULT 0);
-- A work item: 0 to be done, 1 handed out, 2 done.
CREATE TABLE batch (
  lane INTEGER NOT NULL REFERENCES lane, first INTEGER NOT NULL, count INTEGER NOT NULL, state INTEGER NOT NULL,
  worker TEXT, since INTEGER, ended INTEGER, tests INTEGER NOT NULL DEFAULT 0, micros INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (lane, first)) WITHOUT ROWID;
CREATE INDEX batch_open ON batch (state, lane, first) WHERE state < 2;
CREATE TABLE counter (
  lane INTEGER NOT NULL REFERENCES lane, minute INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,
  PRIMARY KEY (lane, minute, name)) WITHOUT ROWID;
-- How many tests had a logic or an operator.
CREATE TABLE tested (
  kind TEXT NOT NULL, name TEXT NOT NULL, lane INTEGER NOT NULL REFERENCES lane, tests INTEGER NOT NULL,
  PRIMARY KEY (kind, name, lane)) WITHOUT ROWID;
CREATE TABLE finding (
  id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL, class TEXT NOT NULL, title TEXT NOT NULL, severity INTEGER NOT NULL,
  loud INTEGER NOT NULL, about TEXT NOT NULL, lane INTEGER NOT NULL REFERENCES lane, target TEXT NOT NULL, version TEXT NOT NULL,
  logic TEXT NOT NULL, assertions INTEGER NOT NULL, count INTEGER NOT NULL, first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,
  newest TEXT, micros INTEGER NOT NULL, asked INTEGER NOT NULL DEFAULT 0, UNIQUE (fingerprint, class));
CREATE TABLE finding_file (
  finding INTEGER NOT NULL REFERENCES finding, name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (finding, name)) WITHOUT ROWID;
CREATE TABLE sighting (
  finding INTEGER NOT NULL REFERENCES finding, lane INTEGER NOT NULL REFERENCES lane, count INTEGER NOT NULL,
  PRIMARY KEY (finding, lane)) WITHOUT ROWID;
-- What people know of a fingerprint: new, reported (url), fixed (in which release), wontfix.
CREATE TABLE known (
  fingerprint TEXT PRIMARY KEY, state TEXT NOT NULL, url TEXT, release TEXT, changed INTEGER NOT NULL) WITHOUT ROWID;
-- The matrix: what releases and options answer to a finding's reduced script.
CREATE TABLE answer (
  finding INTEGER NOT NULL REFERENCES finding, solver TEXT NOT NULL, options TEXT NOT NULL, version TEXT NOT NULL,
  answer TEXT NOT NULL, judgement TEXT NOT NULL, reason TEXT, micros INTEGER NOT NULL, asked INTEGER NOT NULL,
  PRIMARY KEY (finding, solver, options)) WITHOUT ROWID;
CREATE TABLE exploration (
  id INTEGER PRIMARY KEY, lane INTEGER NOT NULL UNIQUE REFERENCES lane, program TEXT NOT NULL, seed INTEGER NOT NULL,
  started INTEGER NOT NULL, ended INTEGER, summary TEXT);
CREATE TABLE moment (
  exploration INTEGER NOT NULL REFERENCES exploration, micros INTEGER NOT NULL, tests INTEGER NOT NULL, branches INTEGER NOT NULL,
  lines INTEGER NOT NULL, PRIMARY KEY (exploration, micros)) WITHOUT ROWID;
CREATE TABLE exploration_file (
  exploration INTEGER NOT NULL REFERENCES exploration, name TEXT NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (exploration, name)) WITHOUT ROWID;
CREATE TABLE worker (
  name TEXT PRIMARY KEY, started INTEGER NOT NULL, seen INTEGER NOT NULL, items INTEGER NOT NULL DEFAULT 0,
  tests INTEGER NOT NULL DEFAULT 0, micros INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE note (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, lane INTEGER REFERENCES lane, text TEXT NOT NULL);
