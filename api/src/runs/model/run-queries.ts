/**
 * Waiting runs of a queue ($1) and of known kinds ($2) with their turn: paying users first, then the user with fewer
 * running and earlier runs, then the one served longer ago. Round robin, however many runs a user has waiting.
 */
export const RANKED = `
  SELECT r.id, r.kind, row_number() OVER (ORDER BY r.priority, r.nth + u.in_work, u.served_at NULLS FIRST, r.created_at, r.id) AS turn
  FROM (
    SELECT id, kind, user_id, priority, created_at, row_number() OVER (PARTITION BY user_id ORDER BY priority, created_at, id) AS nth
    FROM runs WHERE queue = $1 AND status = 'waiting' AND kind = ANY ($2)
  ) r
  JOIN (
    SELECT user_id,
      (SELECT count(*) FROM runs d WHERE d.queue = $1 AND d.user_id = w.user_id AND d.status = 'dispatched') AS in_work,
      (SELECT max(dispatched_at) FROM runs s WHERE s.queue = $1 AND s.user_id = w.user_id AND s.dispatched_at IS NOT NULL) AS served_at
    FROM (SELECT DISTINCT user_id FROM runs WHERE queue = $1 AND status = 'waiting') w
  ) u USING (user_id)`;

/** The next runs, of each kind at most the number at its place in $3. */
export const NEXT = `
  SELECT id FROM (SELECT *, row_number() OVER (PARTITION BY kind ORDER BY turn) AS nth FROM (${RANKED}) ranked) r
  JOIN unnest($2::text[], $3::int[]) AS k (kind, free) USING (kind)
  WHERE nth <= free ORDER BY turn`;

const OPEN = `status IN ('waiting', 'dispatched')`;
export const COUNTS_TOWARD_LIMIT = `${OPEN} AND queue <> 'renders'`;
export const OPEN_RENDERS = `${OPEN} AND queue = 'renders'`;

/**
 * Progress now: it grows linearly to the end of the running step. A report may be newer than now(), which is when the
 * reading transaction began.
 */
export const INTERPOLATED = `CASE WHEN progress_until > progress AND progress_seconds > 0
  THEN progress + (progress_until - progress)
    * least(1, greatest(0, extract(epoch FROM now() - progress_at)::real / progress_seconds))
  ELSE progress END`;
