import { type Currency, formatPrice, inMilliseconds, priceOf, TRIAL_REMINDER_DAYS_BEFORE } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Mailer } from '../mail/mailer.js';
import { AppConfig } from '../platform/config/app.config.js';
import type { Payment, Subscription } from './account/billing-account.js';

/** Spec 1, section 9. */
export const RENEWAL_NOTICE_DAYS_BEFORE = 30;

/** What a letter calls what was bought. */
const PLAN_NAMES = { personal: 'Personal', business: 'Business' } as const;
const PERIOD_NAMES = { weekly: 'weekly', monthly: 'monthly', yearly: 'yearly' } as const;

function nameOf(priceId: string): string {
  const price = priceOf(priceId);
  if (price?.kind === 'plan') return `Clearframe ${PLAN_NAMES[price.plan]}, ${PERIOD_NAMES[price.period]}`;
  return price?.kind === 'pack' ? `Clearframe downloads: ${price.exports}` : 'Clearframe';
}

const dateOf = (date: Date): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(date);

interface Addressee {
  readonly email: string | null;
  readonly wants_reminder: boolean;
}

/** Letters about money. Each is written in the transaction of what it is about, and by its key only once. */
@Injectable()
export class BillingLetters {
  constructor(
    private readonly mailer: Mailer,
    private readonly app: AppConfig,
  ) {}

  /** For something bought once. */
  async paid(manager: EntityManager, payment: Payment): Promise<void> {
    const to = (await this.addressee(manager, payment.userId))?.email ?? payment.payerEmail;
    const { id, priceId, amountCents, currency, settledAt } = payment;
    await this.receipt(manager, to, `receipt:${id}`, priceId, amountCents, currency, settledAt);
  }

  /** For each period of a subscription that something was paid for. */
  async charged(manager: EntityManager, subscription: Subscription): Promise<void> {
    const { id, userId, priceId, paidCents, currency, currentPeriodStart: start } = subscription;
    if (paidCents === 0 || !start) return;
    const to = (await this.addressee(manager, userId))?.email ?? null;
    await this.receipt(manager, to, `receipt:${id}:${start.toISOString()}`, priceId, paidCents, currency, start);
  }

  private async receipt(
    manager: EntityManager,
    to: string | null,
    key: string,
    priceId: string,
    amountCents: number,
    currency: Currency,
    paidAt: Date | null,
  ): Promise<void> {
    if (!to) return;
    const values = {
      amount: formatPrice(amountCents, currency),
      date: dateOf(paidAt ?? new Date()),
      what: nameOf(priceId),
      paymentId: key.split(':')[1] ?? key,
    };
    await this.mailer.send(manager, { key, to, kind: 'receipt', values });
  }

  /** Before a trial turns into a plan, for whoever wants to be reminded; before another year begins, for everybody. */
  async notice(manager: EntityManager, subscription: Subscription, now: Date): Promise<void> {
    const kind = noticeOf(subscription, now);
    const end = subscription.currentPeriodEnd;
    const price = priceOf(subscription.priceId);
    if (!kind || !end || !price) return;
    const to = await this.addressee(manager, subscription.userId);
    if (!to?.email || (kind === 'trialReminder' && !to.wants_reminder)) return;
    await this.mailer.send(manager, {
      key: `${kind}:${subscription.id}:${end.toISOString()}`,
      to: to.email,
      kind,
      values: {
        plan: nameOf(price.id),
        date: dateOf(end),
        amount: formatPrice(price.amountCents, price.currency),
        url: `${this.app.publicUrl}/account/subscription`,
      },
    });
  }

  private async addressee(manager: EntityManager, userId: string | null): Promise<Addressee | undefined> {
    const [addressee]: Addressee[] = await manager.query(
      `SELECT email, coalesce((preferences ->> 'wantsEmailReminder')::boolean, true) AS wants_reminder
       FROM users WHERE id = $1`,
      [userId],
    );
    return addressee;
  }
}

/** Which notice is due, if any. One that ends anyway, or early by an upgrade, needs none. */
function noticeOf(subscription: Subscription, now: Date): 'trialReminder' | 'renewalNotice' | null {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, supersededAt, priceId } = subscription;
  if (!currentPeriodEnd || cancelAtPeriodEnd || supersededAt || now >= currentPeriodEnd) return null;
  const isWithin = (days: number): boolean => currentPeriodEnd.getTime() - now.getTime() <= inMilliseconds.days(days);
  if (status === 'trialing') return isWithin(TRIAL_REMINDER_DAYS_BEFORE) ? 'trialReminder' : null;
  const price = priceOf(priceId);
  const isYearly = price?.kind === 'plan' && price.period === 'yearly';
  return status === 'active' && isYearly && isWithin(RENEWAL_NOTICE_DAYS_BEFORE) ? 'renewalNotice' : null;
}
