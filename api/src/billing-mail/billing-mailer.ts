import {
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

interface Destination {
  readonly userId: string | null;
  readonly to: string | null;
  readonly language: Locale | null;
  /** A guest's link to the paid photo. */
  readonly picture?: IssuedPictureLink | null;
}

export interface UserMail {
  readonly kind: MailKind;
  readonly key: string;
  values(language: Locale): Readonly<Record<string, string | number>>;
}

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
    const payer = await this.recipient(manager, payment.userId);
    const guestEmail = payer?.email ? null : await this.repository.receiptEmailOf(manager, payment);
    const picture = guestEmail && payment.taskId ? await this.links.issue(manager, payment.taskId, payment.id) : null;
    await this.receipt(manager, chargeOfPayment(payment), {
      userId: payment.userId,
      to: payer?.email ?? guestEmail ?? payment.payerEmail,
      language: payer?.language ?? null,
      picture,
    });
  }

  async paidTwice(manager: EntityManager, payment: Payment): Promise<void> {
    const payer = await this.recipient(manager, payment.userId);
    const guestEmail = payer?.email ? null : await this.repository.receiptEmailOf(manager, payment);
    const number = await this.receipts.numberOf(manager, chargeOfPayment(payment));
    const to = payer?.email ?? guestEmail ?? payment.payerEmail;
    if (!to) return;
    const language = payer?.language ?? FALLBACK_LOCALE;
    await this.mailer.send(manager, {
      key: `paidTwice:${payment.id}`,
      userId: payment.userId,
      to,
      kind: 'paidTwice',
      language,
      values: {
        what: nameOfPrice(payment.priceId, language),
        amount: formatMoney(payment.amountCents, payment.currency, languageTagOf(language)),
        number,
      },
    });
  }

  async charged(manager: EntityManager, subscription: Subscription): Promise<void> {
    const charge = chargeOfPeriod(subscription);
    if (!charge) return;
    const { userId } = subscription;
    const payer = await this.recipient(manager, userId);
    await this.receipt(manager, charge, { userId, to: payer?.email ?? null, language: payer?.language ?? null });
  }

  async approvalRefused(
    manager: EntityManager,
    userId: string,
    providerId: string,
    { priceId, refundCents, payerEmail }: ApprovalRefusal,
  ): Promise<void> {
    const payer = await this.recipient(manager, userId);
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
        amount: formatMoney(refundCents, price.currency, languageTagOf(language)),
      },
    });
  }

  /** Charges without an address get a receipt number, too. */
  private async receipt(
    manager: EntityManager,
    charge: Charge,
    { userId, to, language, picture }: Destination,
  ): Promise<void> {
    const number = await this.receipts.numberOf(manager, charge);
    if (!to) return;
    const locale = language ?? FALLBACK_LOCALE;
    const values = {
      amount: formatMoney(charge.amountCents, charge.currency, languageTagOf(locale)),
      date: dateIn(locale, charge.chargedAt),
      what: nameOfPrice(charge.priceId, locale),
      number,
    };
    const mail = { key: `receipt:${charge.key}`, userId, to, language: locale };
    if (!picture) return this.mailer.send(manager, { ...mail, kind: 'receipt', values });
    const url = `${this.app.publicUrl}/photo?${new URLSearchParams({ key: picture.token })}`;
    const withLink = { ...values, url, until: dateIn(locale, picture.expiresAt) };
    return this.mailer.send(manager, { ...mail, kind: 'pictureReceipt', values: withLink });
  }

  async notice(manager: EntityManager, subscription: Subscription, now: Date): Promise<void> {
    const kind = noticeOf(subscription, now);
    const end = subscription.currentPeriodEnd;
    const price = priceOf(subscription.priceId);
    if (!kind || !end || !price) return;
    const to = await this.recipient(manager, subscription.userId);
    if (!to?.email || (kind === 'trialReminder' && to.preferences.wantsEmailReminder === false)) return;
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
        url: this.accountUrl(),
      },
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
    await this.send(manager, after.userId, {
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
    await this.send(manager, userId, {
      kind: number ? 'planChangedRefund' : 'planChanged',
      key: `planChanged:${id}`,
      values: (language) => ({
        plan: nameOfPrice(to.priceId, language),
        oldPlan: nameOfPrice(from.priceId, language),
        url: this.accountUrl(),
        ...(number && { amount: formatMoney(refundedCents, from.currency, languageTagOf(language)), number }),
      }),
    });
  }

  async send(manager: EntityManager, userId: string | null, { kind, key, values }: UserMail): Promise<void> {
    const user = await this.recipient(manager, userId);
    if (!user?.email) return;
    const language = user.language ?? FALLBACK_LOCALE;
    await this.mailer.send(manager, { key, userId, to: user.email, kind, language, values: values(language) });
  }

  private recipient(manager: EntityManager, userId: string | null): Promise<UserRow | null> {
    return userId === null ? Promise.resolve(null) : this.users.find(userId, manager);
  }

  private accountUrl(): string {
    return `${this.app.publicUrl}/account/subscription`;
  }
}

/** Null for a subscription that won't renew. */
function noticeOf(subscription: Subscription, now: Date): 'trialReminder' | 'renewalNotice' | null {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, supersededAt, priceId } = subscription;
  if (!currentPeriodEnd || cancelAtPeriodEnd || supersededAt || now >= currentPeriodEnd) return null;
  const isWithin = (days: number): boolean => currentPeriodEnd.getTime() - now.getTime() <= inMilliseconds.days(days);
  if (status === 'trialing') return isWithin(TRIAL_REMINDER_DAYS_BEFORE) ? 'trialReminder' : null;
  const price = priceOf(priceId);
  const isYearly = price?.kind === 'plan' && price.period === 'yearly';
  return status === 'active' && isYearly && isWithin(RENEWAL_NOTICE_DAYS_BEFORE) ? 'renewalNotice' : null;
}
