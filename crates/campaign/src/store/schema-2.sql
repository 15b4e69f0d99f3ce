-- Kinds of suspicion against a target (its SPEC): how often each was confirmed and reduced, and the fingerprint that it led to.
CREATE TABLE familiar (
  spec TEXT NOT NULL, kind TEXT NOT NULL, taken INTEGER NOT NULL, fingerprint TEXT, PRIMARY KEY (spec, kind)) WITHOUT ROWID;
