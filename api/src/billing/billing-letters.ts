import {
  FALLBACK_LOCALE,
  formatPrice,
  inMilliseconds,
  type Locale,
  priceOf,
  TRIAL_REMINDER_DAYS_BEFORE,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Mailer } from '../mail/mailer.js';
import { AppConfig } from '../platform/config/app.config.js';
import type { Payment, Subscription } from './account/billing-account.js';
import { dateIn, nameOfPrice } from './price-names.js';

/** Spec 1, section 9. */
export const RENEWAL_NOTICE_DAYS_BEFORE = 30;

interface Addressee {
  readonly email: string | null;
  readonly wants_reminder: boolean;
  readonly language: Locale | null;
}

/** Something that was paid for. */
interface Paid extends Pick<Payment, 'priceId' | 'amountCents' | 'currency'> {
  readonly key: string;
  readonly userId: string | null;
  readonly paymentId: string;
  readonly paidAt: Date;
}

/** An approval in the wallet that was not taken on. */
export interface ApprovalRefusal {
  /** The catalogue's name of what was approved; null where it is not known. */
  readonly priceId: string | null;
  /** What is given back; 0 where nothing was charged. */
  readonly refundCents: number;
  /** Where a guest can be written to. */
  readonly payerEmail: string | null;
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
    const { id, payerEmail, settledAt } = payment;
    const payer = await this.addressee(manager, payment.userId);
    const to = payer?.email ?? payerEmail;
    const paid = { ...payment, key: `receipt:${id}`, paymentId: id, paidAt: settledAt ?? new Date() };
    await this.receipt(manager, to, payer?.language, paid);
  }

  /** For each period of a subscription that something was paid for. */
  async charged(manager: EntityManager, subscription: Subscription): Promise<void> {
    const { id, paidCents, currentPeriodStart: paidAt } = subscription;
    if (paidCents === 0 || !paidAt) return;
    const payer = await this.addressee(manager, subscription.userId);
    const key = `receipt:${id}:${paidAt.toISOString()}`;
    const paid = { ...subscription, key, paymentId: id, paidAt, amountCents: paidCents };
    await this.receipt(manager, payer?.email ?? null, payer?.language, paid);
  }

  /** For an approval in the wallet that could not be taken on, with what happens to the money. */
  async approvalRefused(
    manager: EntityManager,
    userId: string,
    providerId: string,
    { priceId, refundCents, payerEmail }: ApprovalRefusal,
  ): Promise<void> {
    const payer = await this.addressee(manager, userId);
    const to = payer?.email ?? payerEmail;
    const price = priceId === null ? null : priceOf(priceId);
    if (!to || !price) return;
    const language = payer?.language ?? FALLBACK_LOCALE;
    await this.mailer.send(manager, {
      key: `approvalRefused:${providerId}`,
      userId: payer ? userId : null,
      to,
      kind: 'approvalRefused',
      language,
      values: {
        what: nameOfPrice(price.id, language),
        isRefunded: refundCents > 0 ? 'yes' : 'no',
        amount: formatPrice(refundCents, price.currency),
      },
    });
  }

  private async receipt(
    manager: EntityManager,
    to: string | null,
    spoken: Locale | null | undefined,
    { key, userId, paymentId, priceId, amountCents, currency, paidAt }: Paid,
  ): Promise<void> {
    if (!to) return;
    const language = spoken ?? FALLBACK_LOCALE;
    const values = {
      amount: formatPrice(amountCents, currency),
      date: dateIn(language, paidAt),
      what: nameOfPrice(priceId, language),
      paymentId,
    };
    await this.mailer.send(manager, { key, userId, to, kind: 'receipt', language, values });
  }

  /** Before a trial turns into a plan, for whoever wants to be reminded; before another year begins, for everybody. */
  async notice(manager: EntityManager, subscription: Subscription, now: Date): Promise<void> {
    const kind = noticeOf(subscription, now);
    const end = subscription.currentPeriodEnd;
    const price = priceOf(subscription.priceId);
    if (!kind || !end || !price) return;
    const to = await this.addressee(manager, subscription.userId);
    if (!to?.email || (kind === 'trialReminder' && !to.wants_reminder)) return;
    const language = to.language ?? FALLBACK_LOCALE;
    await this.mailer.send(manager, {
      key: `${kind}:${subscription.id}:${end.toISOString()}`,
      userId: subscription.userId,
      to: to.email,
      kind,
      language,
      values: {
        plan: nameOfPrice(price.id, language),
        date: dateIn(language, end),
        amount: formatPrice(price.amountCents, price.currency),
        url: `${this.app.publicUrl}/account/subscription`,
      },
    });
  }

  private async addressee(manager: EntityManager, userId: string | null): Promise<Addressee | undefined> {
    const [addressee]: Addressee[] = await manager.query(
      `SELECT email, language, coalesce((preferences ->> 'wantsEmailReminder')::boolean, true) AS wants_reminder
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
