/** What the providers hold, as tables. Read by tests, never by the product. */
export const LEDGER_VIEWS = `
CREATE SCHEMA ledger;
CREATE VIEW ledger.subscriptions AS
  SELECT id, 'paypal' AS provider, NULL AS customer_id, body ->> 'plan_id' AS price_id,
    CASE body ->> 'status' WHEN 'CANCELLED' THEN 'canceled' ELSE lower(body ->> 'status') END AS status,
    CASE body ->> 'status' WHEN 'CANCELLED' THEN (body ->> 'status_update_time')::timestamptz END AS ended_at,
    (body ->> 'create_time')::timestamptz AS created_at
  FROM sandbox.objects WHERE type = 'paypal.subscription'
  UNION ALL
  SELECT id, 'stripe', body ->> 'customer', coalesce(body ->> '_nextPrice', body #>> '{items,data,0,price,id}'), body ->> 'status',
    to_timestamp((body ->> 'ended_at')::bigint), to_timestamp((body ->> 'created')::bigint)
  FROM sandbox.objects WHERE type = 'subscription';
CREATE VIEW ledger.charges AS
  SELECT id, body ->> '_subject' AS subject_id, (body ->> '_amountCents')::int AS amount_cents,
    (body ->> '_refundedCents')::int AS refunded_cents,
    CASE body ->> 'status' WHEN 'DECLINED' THEN 'declined' END AS failure_code,
    to_timestamp((body ->> '_createdAt')::bigint) + seq * interval '1 microsecond' AS created_at
  FROM sandbox.objects WHERE type = 'paypal.capture'
  UNION ALL
  SELECT c.id, coalesce(i.body #>> '{parent,subscription_details,subscription}', c.body ->> 'payment_intent'),
    (c.body ->> 'amount')::int, (c.body ->> 'amount_refunded')::int, c.body ->> 'failure_code',
    to_timestamp((c.body ->> 'created')::bigint) + c.seq * interval '1 microsecond'
  FROM sandbox.objects c
  LEFT JOIN sandbox.objects i ON i.type = 'invoice'
    AND i.body #>> '{payments,data,0,payment,payment_intent}' = c.body ->> 'payment_intent'
  WHERE c.type = 'charge';
CREATE VIEW ledger.orders AS
  SELECT id, CASE body ->> 'status' WHEN 'COMPLETED' THEN 'captured' WHEN 'VOIDED' THEN 'canceled'
    ELSE lower(body ->> 'status') END AS status
  FROM sandbox.objects WHERE type = 'paypal.order';
CREATE VIEW ledger.intents AS
  SELECT id, body ->> 'status' AS status FROM sandbox.objects WHERE type IN ('payment_intent', 'setup_intent');
`;
