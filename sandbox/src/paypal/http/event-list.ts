import type { Transaction } from '../../core/ledger.js';
import { linkTo, secondsOf } from '../model/objects.js';

const PATH = '/v1/notifications/webhooks-events';

interface EventQuery {
  readonly page_size: number;
  readonly start_time?: string | undefined;
  readonly end_time?: string | undefined;
  readonly transaction_id?: string | undefined;
  readonly event_type?: string | undefined;
  readonly after?: string | undefined;
}

/** Newest first, with a link to the next page. */
export async function listEvents(tx: Transaction, query: EventQuery): Promise<object> {
  const { page_size: size, start_time: from, end_time: to } = query;
  const rows = await tx.query<{ id: string; payload: string }>(
    `SELECT id, payload FROM sandbox.events
     WHERE provider = 'paypal' AND ($1::text IS NULL OR type = $1)
       AND ($2::text IS NULL OR payload::jsonb #>> '{resource,id}' = $2)
       AND ($3::bigint IS NULL OR created_at >= $3) AND ($4::bigint IS NULL OR created_at <= $4)
       AND ($5::text IS NULL OR seq < (SELECT seq FROM sandbox.events WHERE id = $5))
     ORDER BY seq DESC LIMIT $6`,
    [
      query.event_type ?? null,
      query.transaction_id ?? null,
      from === undefined ? null : secondsOf(from),
      to === undefined ? null : secondsOf(to),
      query.after ?? null,
      size + 1,
    ],
  );
  const page = rows.slice(0, size);
  const given = Object.entries({ ...query, after: page.at(-1)?.id }).filter(([, value]) => value !== undefined);
  const next = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
  return {
    events: page.map(({ payload }) => JSON.parse(payload)),
    count: page.length,
    links: rows.length > size ? [linkTo('next', `${PATH}?${next}`)] : [],
  };
}
