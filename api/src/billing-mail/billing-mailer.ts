import {
  type Currency,
  FALLBACK_LOCALE,
  formatMoney,
  formatPrice,
  inMilliseconds,
  type Locale,
  languageTagOf,
  type PlanPrice,
  priceOf,
  TRIAL_REMINDER_DAYS_BEFORE,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Payment, Subscription } from '../billing-accounts/billing-account.js';
import { grantsPlan, hasStarted, isEnding } from '../billing-accounts/entitlements.js';
import { type IssuedPictureLink, PictureLinks } from '../downloads/picture-links.js';
import type { MailValues } from '../mail/mail-composer.js';
import type { MailKind } from '../mail/mail-kinds.js';
import { Mailer } from '../mail/mailer.js';
import { AppConfig } from '../platform/config/app.config.js';
import { UserRepository, type UserRow } from '../users/user.repository.js';
import {
  BillingMailRepository,
  type Charge,
  chargeOfPayment,
  chargeOfPeriod,
  ReceiptRepository,
} from './billing-mail.repository.js';
import { dateIn, nameOfPrice } from './price-names.js';

interface DueMail {
  readonly kind: 'trialStarted' | 'paymentFailed' | 'cancelled' | 'ended';
  readonly key: string;
  readonly amountCents: number;
  /** End of the trial, or of the access to a cancelled plan. */
  readonly date: Date | null;
}

const FAILED: readonly Subscription['status'][] = ['incomplete', 'past_due', 'unpaid'];
const isFailed = ({ status, supersededAt }: Subscription): boolean => FAILED.includes(status) && !supersededAt;

function mailAfter(before: Subscription | undefined, after: Subscription, now: Date): DueMail | null {
  const price = priceOf(after.priceId);
  if (price?.kind !== 'plan') return null;
  const { id, status, trialEnd, currentPeriodStart, currentPeriodEnd, supersededAt } = after;
  const mail = (kind: DueMail['kind'], key: string, date: Date | null): DueMail => ({
    kind,
    key: `${kind}:${id}${key}`,
    amountCents: amountOf(after, price),
    date,
  });
  if (status === 'trialing' && before?.status !== 'trialing') return mail('trialStarted', '', trialEnd);
  if (isFailed(after) && !(before && isFailed(before))) {
    return mail('paymentFailed', `:${currentPeriodStart?.toISOString()}`, null);
  }
  if (!before || !hasStarted(before) || supersededAt || isEnding(before) || !isEnding(after)) return null;
  return grantsPlan(after, now)
    ? mail('cancelled', `:${(after.canceledAt ?? now).toISOString()}`, currentPeriodEnd)
    : mail('ended', '', null);
}

/** The first charge may be for an intro price. */
function amountOf({ status, introPriceId }: Subscription, price: PlanPrice): number {
  const intro = status === 'incomplete' && introPriceId ? priceOf(introPriceId) : undefined;
  return intro?.amountCents ?? price.amountCents;
}

/** Spec 1, section 9. */
export const RENEWAL_NOTICE_DAYS_BEFORE = 30;

/** Whom a mail is for. Nothing is sent without an address. */
interface Recipient {
  readonly userId: string | null;
  readonly to: string | null;
  readonly language: Locale;
  /** Null without one, and for an erased account. */
  readonly user: UserRow | null;
}

interface BillingMail {
  readonly kind: MailKind;
  readonly key: string;
  values(language: Locale): MailValues;
}

const money = (cents: number, currency: Currency, language: Locale): string =>
  formatMoney(cents, currency, languageTagOf(language));

/** A subscription that replaced another one. */
export interface PlanChange {
  readonly id: string;
  readonly userId: string | null;
  readonly from: Subscription;
  readonly to: Subscription;
  readonly refundedCents: number;
}

export interface ApprovalRefusal {
  readonly priceId: string | null;
  readonly refundCents: number;
  readonly payerEmail: string | null;
}

/** Stores billing mails in the transaction of their cause, once for each key. */
@Injectable()
export class BillingMailer {
  constructor(
    private readonly repository: BillingMailRepository,
    private readonly users: UserRepository,
    private readonly receipts: ReceiptRepository,
    private readonly mailer: Mailer,
    private readonly links: PictureLinks,
    private readonly app: AppConfig,
  ) {}

  async paid(manager: EntityManager, payment: Payment): Promise<void> {
    const { guestEmail, ...recipient } = await this.payerOf(manager, payment);
    const picture = guestEmail && payment.taskId ? await this.links.issue(manager, payment.taskId, payment.id) : null;
    await this.receipt(manager, chargeOfPayment(payment), recipient, picture);
  }

  paidTwice(manager: EntityManager, payment: Payment): Promise<void> {
    return this.refunded(manager, 'paidTwice', payment);
  }

  /** The photo's file can't be made. */
  undelivered(manager: EntityManager, payment: Payment): Promise<void> {
    return this.refunded(manager, 'undelivered', payment);
  }

  private async refunded(manager: EntityManager, kind: 'paidTwice' | 'undelivered', payment: Payment): Promise<void> {
    const recipient = await this.payerOf(manager, payment);
    const number = await this.receipts.numberOf(manager, chargeOfPayment(payment));
    await this.send(manager, recipient, {
      kind,
      key: `${kind}:${payment.id}`,
      values: (language) => ({
        what: nameOfPrice(payment.priceId, language),
        amount: money(payment.amountCents, payment.currency, language),
        number,
      }),
    });
  }

  /** `guestEmail`: entered at the checkout by a payer without an account. */
  private async payerOf(manager: EntityManager, payment: Payment): Promise<Recipient & { guestEmail: string | null }> {
    const recipient = await this.recipient(manager, payment.userId);
    const guestEmail = recipient.to ? null : await this.repository.receiptEmailOf(manager, payment);
    return { ...recipient, to: recipient.to ?? guestEmail ?? payment.payerEmail, guestEmail };
  }

  async charged(manager: EntityManager, subscription: Subscription): Promise<void> {
    const charge = chargeOfPeriod(subscription);
    if (charge) await this.receipt(manager, charge, await this.recipient(manager, subscription.userId), null);
  }

  async approvalRefused(
    manager: EntityManager,
    userId: string,
    providerId: string,
    { priceId, refundCents, payerEmail }: ApprovalRefusal,
  ): Promise<void> {
    const price = priceId === null ? null : priceOf(priceId);
    if (!price) return;
    const payer = await this.recipient(manager, userId);
    await this.send(
      manager,
      { ...payer, userId: payer.user && userId, to: payer.to ?? payerEmail },
      {
        kind: 'approvalRefused',
        key: `approvalRefused:${providerId}`,
        values: (language) => ({
          what: nameOfPrice(price.id, language),
          isRefunded: refundCents > 0 ? 'yes' : 'no',
          amount: money(refundCents, price.currency, language),
        }),
      },
    );
  }

  /** Charges without an address get a receipt number, too. @param picture a guest's link to the paid photo */
  private async receipt(
    manager: EntityManager,
    charge: Charge,
    recipient: Recipient,
    picture: IssuedPictureLink | null,
  ): Promise<void> {
    const number = await this.receipts.numberOf(manager, charge);
    await this.send(manager, recipient, {
      kind: picture ? 'pictureReceipt' : 'receipt',
      key: `receipt:${charge.key}`,
      values: (language) => ({
        amount: money(charge.amountCents, charge.currency, language),
        date: dateIn(language, charge.chargedAt),
        what: nameOfPrice(charge.priceId, language),
        number,
        ...(picture && {
          url: `${this.app.publicUrl}/photo?${new URLSearchParams({ key: picture.token })}`,
          until: dateIn(language, picture.expiresAt),
        }),
      }),
    });
  }

  async notice(manager: EntityManager, { id, userId, ...subscription }: Subscription, now: Date): Promise<void> {
    const kind = noticeOf(subscription, now);
    const { currentPeriodEnd: end, priceId } = subscription;
    const price = priceOf(priceId);
    if (!kind || !end || !price) return;
    const recipient = await this.recipient(manager, userId);
    if (kind === 'trialReminder' && recipient.user?.preferences.wantsEmailReminder === false) return;
    await this.send(manager, recipient, {
      kind,
      key: `${kind}:${id}:${end.toISOString()}`,
      values: (language) => ({
        plan: nameOfPrice(price.id, language),
        date: dateIn(language, end),
        amount: formatPrice(price.amountCents, price.currency),
        url: this.accountUrl(),
      }),
    });
  }

  async changed(
    manager: EntityManager,
    before: Subscription | undefined,
    after: Subscription,
    now: Date,
  ): Promise<void> {
    const due = mailAfter(before, after, now);
    if (!due) return;
    const { kind, key, amountCents, date } = due;
    await this.send(manager, await this.recipient(manager, after.userId), {
      kind,
      key,
      values: (language) => ({
        plan: nameOfPrice(after.priceId, language),
        amount: formatPrice(amountCents, after.currency),
        date: date ? dateIn(language, date) : '',
        url: kind === 'paymentFailed' ? `${this.app.publicUrl}/subscription/pay` : this.accountUrl(),
      }),
    });
  }

  async planChanged(manager: EntityManager, change: PlanChange): Promise<void> {
    const { id, userId, from, to, refundedCents } = change;
    const number = refundedCents > 0 ? await this.receipts.numberOfPeriod(manager, from) : null;
    await this.send(manager, await this.recipient(manager, userId), {
      kind: number ? 'planChangedRefund' : 'planChanged',
      key: `planChanged:${id}`,
      values: (language) => ({
        plan: nameOfPrice(to.priceId, language),
        oldPlan: nameOfPrice(from.priceId, language),
        url: this.accountUrl(),
        ...(number && { amount: money(refundedCents, from.currency, language), number }),
      }),
    });
  }

  private async send(
    manager: EntityManager,
    { userId, to, language }: Recipient,
    { kind, key, values }: BillingMail,
  ): Promise<void> {
    if (to) await this.mailer.send(manager, { key, userId, to, kind, language, values: values(language) });
  }

  private async recipient(manager: EntityManager, userId: string | null): Promise<Recipient> {
    const user = userId === null ? null : await this.users.find(userId, manager);
    return { userId, to: user?.email ?? null, language: user?.language ?? FALLBACK_LOCALE, user };
  }

  private accountUrl(): string {
    return `${this.app.publicUrl}/account/subscription`;
  }
}

/** Null for a subscription that won't renew. */
function noticeOf(
  subscription: Omit<Subscription, 'id' | 'userId'>,
  now: Date,
): 'trialReminder' | 'renewalNotice' | null {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, supersededAt, priceId } = subscription;
  if (!currentPeriodEnd || cancelAtPeriodEnd || supersededAt || now >= currentPeriodEnd) return null;
  const isWithin = (days: number): boolean => currentPeriodEnd.getTime() - now.getTime() <= inMilliseconds.days(days);
  if (status === 'trialing') return isWithin(TRIAL_REMINDER_DAYS_BEFORE) ? 'trialReminder' : null;
  const price = priceOf(priceId);
  const isYearly = price?.kind === 'plan' && price.period === 'yearly';
  return status === 'active' && isYearly && isWithin(RENEWAL_NOTICE_DAYS_BEFORE) ? 'renewalNotice' : null;
}
