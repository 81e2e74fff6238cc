import type { RouteInput, SandboxConfirmation, SandboxEvent, sandboxPaymentRoutes } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { AppError } from '../../../platform/errors/app-error.js';
import { Intent, type IntentKind } from './core/ledger.entities.js';
import { SandboxCompany } from './core/ledger.js';
import { CompanyEvent } from './core/system.entities.js';
import { SandboxAgreements } from './payments/agreements.js';
import { SandboxIntents } from './payments/intents.js';
import { type Approval, SandboxOrders } from './payments/orders.js';
import { ReturnAddresses } from './payments/return-address.js';
import { walletPlanOf } from './payments/sandbox-prices.js';
import { SandboxTimetable } from './timetable.js';
import { SandboxEvents, type SignedEvent } from './webhooks/events.js';
import { SandboxMessenger } from './webhooks/webhook-sender.js';

type Replay = RouteInput<typeof sandboxPaymentRoutes.replayEvent>['body'];
type EventQuery = RouteInput<typeof sandboxPaymentRoutes.listEvents>['query'];

/** What payers and developers do at the company itself, without the product: its doors to the street. */
@Injectable()
export class SandboxDoors {
  constructor(
    private readonly company: SandboxCompany,
    private readonly intents: SandboxIntents,
    private readonly agreements: SandboxAgreements,
    private readonly orders: SandboxOrders,
    private readonly events: SandboxEvents,
    private readonly messenger: SandboxMessenger,
    private readonly timetable: SandboxTimetable,
    private readonly returns: ReturnAddresses,
  ) {}

  async confirm(kind: IntentKind, id: string, cardNumber: string, returnUrl?: string): Promise<SandboxConfirmation> {
    if (returnUrl !== undefined) this.returns.check(returnUrl);
    const confirmation = await this.intents.confirm(kind, id, cardNumber);
    if (confirmation.status !== 'requires_action') return confirmation;
    const intent = await this.company.look((books) => books.findOneByOrFail(Intent, { id }));
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
    return (await this.timetable.advance(seconds)).toISOString();
  }

  async listEvents({
    subjectId,
    limit,
    startingAfter,
  }: EventQuery): Promise<{ data: SandboxEvent[]; hasMore: boolean }> {
    const events = await this.company.look(async (books) => {
      const last = startingAfter === undefined ? null : await books.findOneBy(CompanyEvent, { id: startingAfter });
      const where = { ...(subjectId === undefined ? {} : { subjectId }), ...(last ? { seq: LessThan(last.seq) } : {}) };
      return books.find(CompanyEvent, { where, order: { seq: 'DESC' }, take: limit + 1 });
    });
    return { data: events.slice(0, limit).map(eventOf), hasMore: events.length > limit };
  }

  async replay({ eventId, times, tamper, ageSeconds }: Replay): Promise<number[]> {
    const event = await this.company.look((books) => books.findOneBy(CompanyEvent, { id: eventId }));
    if (!event) throw new AppError('sandbox.event_not_found');
    const signed = await this.events.sign(event, new Date(Date.now() - ageSeconds * 1000));
    const posted = tamper ? tampered(signed) : signed;
    return Promise.all(Array.from({ length: times }, () => this.messenger.post(posted)));
  }
}

const eventOf = ({ id, type, subjectId, createdAt, attempts, deliveredAt }: CompanyEvent): SandboxEvent => ({
  id,
  type,
  subjectId,
  createdAt: createdAt.toISOString(),
  attempts,
  deliveredAt: deliveredAt?.toISOString() ?? null,
});

/** Says something else than what was signed, and could still be read. */
const tampered = ({ body, headers }: SignedEvent): SignedEvent => ({
  headers,
  body: JSON.stringify({ ...JSON.parse(body), id: 'sbx_evt_forged' }),
});
