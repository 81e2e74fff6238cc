/**
 * Longest wait of a free run behind paying ones. An older one is overdue, and every second free place goes to an overdue run
 * while there are any: a steady paid load delays free users by a known time, and an overload of free users leaves payers
 * at least half of the places.
 */
const OVERDUE = `interval '60 seconds'`;

/**
 * Waiting runs of a queue ($1) and of known kinds ($2) with their turn: paying users first, overdue runs of others in
 * turns with them, then the other free ones. Within each of these the user with fewer running and earlier runs, then the
 * one served longer ago. Round robin, however many runs a user has waiting.
 */
export const RANKED = `
  SELECT id, kind, row_number() OVER (
    ORDER BY lane = 'free', nth, lane = coalesce(
      (SELECT CASE priority WHEN 0 THEN 'paying' ELSE 'overdue' END
       FROM runs WHERE queue = $1 AND dispatched_at IS NOT NULL ORDER BY dispatched_at DESC LIMIT 1), 'overdue')
  ) AS turn
  FROM (
    SELECT r.id, r.kind, r.lane, row_number() OVER (
      PARTITION BY r.lane ORDER BY r.nth + u.in_work, u.served_at NULLS FIRST, r.created_at, r.id
    ) AS nth
    FROM (
      SELECT id, kind, user_id, created_at, row_number() OVER (PARTITION BY user_id ORDER BY priority, created_at, id) AS nth,
        CASE WHEN priority = 0 THEN 'paying' WHEN created_at < now() - ${OVERDUE} THEN 'overdue' ELSE 'free' END AS lane
      FROM runs WHERE queue = $1 AND status = 'waiting' AND kind = ANY ($2)
    ) r
    JOIN (
      SELECT user_id,
        (SELECT count(*) FROM runs d WHERE d.queue = $1 AND d.user_id = w.user_id AND d.status = 'dispatched') AS in_work,
        (SELECT max(dispatched_at) FROM runs s WHERE s.queue = $1 AND s.user_id = w.user_id AND s.dispatched_at IS NOT NULL) AS served_at
      FROM (SELECT DISTINCT user_id FROM runs WHERE queue = $1 AND status = 'waiting') w
    ) u USING (user_id)
  ) places`;

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
