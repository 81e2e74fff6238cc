import { CURRENCIES, inSeconds } from '@clearframe/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Ledger } from './core/ledger.js';
import { productScope, Rejection, readInput } from './core/problem.js';
import type { ReturnUrls } from './core/return-urls.js';
import type { Scheduler } from './core/scheduler.js';
import { CLOCK_HEADER, type WebhookSender } from './core/webhook-sender.js';
import type { Wallet } from './paypal/wallet.js';
import { type Confirmations, type IntentKind, intentBySecret } from './stripe/confirmations.js';
import { findObject } from './stripe/objects.js';

interface EventRow {
  readonly id: string;
  readonly provider: 'stripe' | 'paypal';
  readonly type: string;
  readonly subject_id: string;
  readonly payload: string;
  readonly created_at: string;
  readonly attempts: number;
  readonly delivered_at: Date | null;
}

const ConfirmBody = z.object({ card_number: z.string().min(1).max(40), return_url: z.string().max(2_000).optional() });
const CustomId = z.string().min(1).max(127);
const SubscribeBody = z.object({ plan_id: z.string().max(255), custom_id: CustomId });
const ChargeBody = z.object({
  amount_cents: z.int().positive().max(1_000_000_00),
  currency: z.enum(CURRENCIES),
  custom_id: CustomId,
  payer_email: z.email().max(254).optional(),
});
const ClockBody = z.object({
  advance_seconds: z
    .int()
    .nonnegative()
    .max(inSeconds.days(2 * 366)),
  wait: z.boolean().default(false),
});
const EventsQuery = z.object({
  subject_id: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  starting_after: z.string().optional(),
});
const ReplayBody = z.object({
  event_id: z.string(),
  times: z.int().min(1).max(20).default(1),
  tamper: z.boolean().default(false),
  age_seconds: z.int().nonnegative().max(inSeconds.days(1)).default(0),
});

/** Routes for payers and developers, documented in `docs/sandbox-payments.md`. */
export class DeveloperRoutes {
  constructor(
    private readonly ledger: Ledger,
    private readonly confirmations: Confirmations,
    private readonly wallet: Wallet,
    private readonly scheduler: Scheduler,
    private readonly webhooks: WebhookSender,
    private readonly returns: ReturnUrls,
  ) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    await productScope(fastify, (scope) => {
      scope.addHook('onSend', async (_request, reply) => {
        reply.header(CLOCK_HEADER, String(await this.ledger.clockOffsetMs()));
      });
      const confirm = (kind: IntentKind) => (request: FastifyRequest) =>
        this.confirm(kind, (request.params as { id: string }).id, readInput(ConfirmBody, request.body));
      scope.post('/api/sandbox/payments/setup_intents/:id/confirm', confirm('setup_intent'));
      scope.post('/api/sandbox/payments/payment_intents/:id/confirm', confirm('payment_intent'));
      scope.post('/api/sandbox/payments/wallet/subscriptions', async (request, reply) => {
        const { plan_id: planId, custom_id: customId } = readInput(SubscribeBody, request.body);
        return reply.status(201).send({ subscription_id: await this.wallet.subscribe(planId, customId) });
      });
      scope.post('/api/sandbox/payments/wallet/charges', async (request, reply) => {
        const {
          amount_cents: amountCents,
          custom_id: customId,
          payer_email: payerEmail,
          currency,
        } = readInput(ChargeBody, request.body);
        const chargeId = await this.wallet.pay({ amountCents, currency, customId, payerEmail });
        return reply.status(201).send({ charge_id: chargeId });
      });
      scope.get('/api/sandbox/clock', async () => {
        const now = await this.ledger.read(async (reader) => reader.now);
        return { now: new Date(now * 1000).toISOString() };
      });
      scope.post('/api/sandbox/clock', async (request) => {
        const { advance_seconds: seconds, wait } = readInput(ClockBody, request.body);
        const { nowMs, hasHappened } = await this.scheduler.advance(seconds);
        if (wait) await hasHappened;
        return { now: new Date(nowMs).toISOString() };
      });
      scope.get('/api/sandbox/webhooks', (request) => this.listEvents(readInput(EventsQuery, request.query)));
      scope.post('/api/sandbox/webhooks', (request) => this.replay(readInput(ReplayBody, request.body)));
    });
  }

  private async confirm(kind: IntentKind, id: string, body: z.infer<typeof ConfirmBody>) {
    if (body.return_url !== undefined) this.returns.check(body.return_url);
    const confirmation = await this.confirmations.confirm(kind, id, body.card_number);
    switch (confirmation.status) {
      case 'succeeded':
        return { status: confirmation.status, payment_method_id: confirmation.paymentMethodId };
      case 'failed':
        return { status: confirmation.status, error_code: confirmation.errorCode };
      case 'requires_action': {
        const intent = await this.ledger.read(async (reader) => {
          const found = await findObject(reader, kind, id);
          return found && intentBySecret(reader, found.client_secret);
        });
        const query = { client_secret: intent?.client_secret, return_url: body.return_url };
        return { status: confirmation.status, redirect_url: this.returns.pageOf('authenticate', query) };
      }
    }
  }

  private async listEvents({ subject_id: subjectId, limit, starting_after: after }: z.infer<typeof EventsQuery>) {
    const rows = await this.ledger.transact((tx) =>
      tx.query<EventRow>(
        `SELECT id, type, subject_id, created_at, attempts, delivered_at FROM sandbox.events
         WHERE ($1::text IS NULL OR subject_id = $1)
           AND ($2::text IS NULL OR seq < (SELECT seq FROM sandbox.events WHERE id = $2))
         ORDER BY seq DESC LIMIT $3`,
        [subjectId ?? null, after ?? null, limit + 1],
      ),
    );
    const data = rows.slice(0, limit).map((row) => ({
      id: row.id,
      type: row.type,
      subject_id: row.subject_id,
      created_at: new Date(Number(row.created_at) * 1000).toISOString(),
      attempts: row.attempts,
      delivered_at: row.delivered_at?.toISOString() ?? null,
    }));
    return { data, has_more: rows.length > limit };
  }

  private async replay({ event_id: id, times, tamper, age_seconds: age }: z.infer<typeof ReplayBody>) {
    const [event] = await this.ledger.transact((tx) =>
      tx.query<EventRow>('SELECT provider, payload FROM sandbox.events WHERE id = $1', [id]),
    );
    if (!event) throw new Rejection('sandbox.event_not_found');
    const { provider, payload } = event;
    const sent = tamper ? JSON.stringify({ ...JSON.parse(payload), id: 'sbx_evt_forged' }) : payload;
    const signedAt = new Date(Date.now() - age * 1000);
    const posts = Array.from({ length: times }, () => this.webhooks.post(provider, payload, signedAt, sent));
    return { statuses: await Promise.all(posts) };
  }
}
