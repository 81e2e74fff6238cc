import type { RouteInput, SandboxConfirmation, SandboxEvent, sandboxPaymentRoutes } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { AppError } from '../../../platform/errors/app-error.js';
import { Intent, type IntentKind } from './core/ledger.entities.js';
import { SandboxLedger } from './core/ledger.js';
import { LedgerEvent } from './core/system.entities.js';
import { SandboxAgreements } from './payments/agreements.js';
import { SandboxIntents } from './payments/intents.js';
import { type Approval, SandboxOrders } from './payments/orders.js';
import { ReturnUrls } from './payments/return-urls.js';
import { walletPlanOf } from './payments/sandbox-prices.js';
import { SandboxScheduler } from './scheduler.js';
import { SandboxEvents, type SignedEvent } from './webhooks/events.js';
import { WebhookSender } from './webhooks/webhook-sender.js';

type Replay = RouteInput<typeof sandboxPaymentRoutes.replayEvent>['body'];
type EventQuery = RouteInput<typeof sandboxPaymentRoutes.listEvents>['query'];

/** The provider's own API, for payers and developers. */
@Injectable()
export class SandboxHttpApi {
  constructor(
    private readonly ledger: SandboxLedger,
    private readonly intents: SandboxIntents,
    private readonly agreements: SandboxAgreements,
    private readonly orders: SandboxOrders,
    private readonly events: SandboxEvents,
    private readonly webhooks: WebhookSender,
    private readonly scheduler: SandboxScheduler,
    private readonly returns: ReturnUrls,
  ) {}

  async confirm(kind: IntentKind, id: string, cardNumber: string, returnUrl?: string): Promise<SandboxConfirmation> {
    if (returnUrl !== undefined) this.returns.check(returnUrl);
    const confirmation = await this.intents.confirm(kind, id, cardNumber);
    if (confirmation.status !== 'requires_action') return confirmation;
    const intent = await this.ledger.read((manager) => manager.findOneByOrFail(Intent, { id }));
    const query = { client_secret: intent.secret, return_url: returnUrl };
    return { ...confirmation, redirectUrl: this.returns.pageOf('authenticate', query) };
  }

  subscribeByWallet(planId: string, customId: string): Promise<string> {
    if (!walletPlanOf(planId)) throw new AppError('prices.not_found');
    return this.agreements.beginByWallet(planId, customId);
  }

  chargeWallet(approval: Approval): Promise<string> {
    return this.orders.approve(approval);
  }

  async advanceClock(seconds: number): Promise<string> {
    return (await this.scheduler.advance(seconds)).toISOString();
  }

  async listEvents({
    subjectId,
    limit,
    startingAfter,
  }: EventQuery): Promise<{ data: SandboxEvent[]; hasMore: boolean }> {
    const events = await this.ledger.read(async (manager) => {
      const last = startingAfter === undefined ? null : await manager.findOneBy(LedgerEvent, { id: startingAfter });
      const where = { ...(subjectId === undefined ? {} : { subjectId }), ...(last ? { seq: LessThan(last.seq) } : {}) };
      return manager.find(LedgerEvent, { where, order: { seq: 'DESC' }, take: limit + 1 });
    });
    return { data: events.slice(0, limit).map(eventOf), hasMore: events.length > limit };
  }

  async replay({ eventId, times, tamper, ageSeconds }: Replay): Promise<number[]> {
    const event = await this.ledger.read((manager) => manager.findOneBy(LedgerEvent, { id: eventId }));
    if (!event) throw new AppError('sandbox.event_not_found');
    const signed = await this.events.sign(event, new Date(Date.now() - ageSeconds * 1000));
    const posted = tamper ? tampered(signed) : signed;
    return Promise.all(Array.from({ length: times }, () => this.webhooks.post(posted)));
  }
}

const eventOf = ({ id, type, subjectId, createdAt, attempts, deliveredAt }: LedgerEvent): SandboxEvent => ({
  id,
  type,
  subjectId,
  createdAt: createdAt.toISOString(),
  attempts,
  deliveredAt: deliveredAt?.toISOString() ?? null,
});

/** Stays valid JSON. */
const tampered = ({ body, headers }: SignedEvent): SignedEvent => ({
  headers,
  body: JSON.stringify({ ...JSON.parse(body), id: 'sbx_evt_forged' }),
});
