-- Items that are not done are few and asked for all the time; done ones are many. Each question has an index of just its rows.
DROP INDEX batch_open;
CREATE INDEX batch_waiting ON batch (lane, first, count) WHERE state = 0;
CREATE INDEX batch_out ON batch (lane, first, count) WHERE state = 1;
CREATE INDEX finding_question ON finding (severity, id) WHERE asked = 0;
-- What a lane has done, so that nobody counts its items to show it.
ALTER TABLE lane ADD COLUMN done INTEGER NOT NULL DEFAULT 0;
ALTER TABLE lane ADD COLUMN tests INTEGER NOT NULL DEFAULT 0;
UPDATE lane SET
  done = (SELECT coalesce(sum(count), 0) FROM batch WHERE batch.lane = lane.id AND state = 2),
  tests = (SELECT coalesce(sum(tests), 0) FROM batch WHERE batch.lane = lane.id AND state = 2);
