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
import type { MailKind } from '../../mail/mail-texts.js';
import { Mailer } from '../../mail/mailer.js';
import { AppConfig } from '../../platform/config/app.config.js';
import { type IssuedPictureLink, PictureLinks } from '../../tasks/results/picture-links.js';
import type { Payment, Subscription } from '../account/state/billing-account.js';
import { dateIn, nameOfPrice } from './price-names.js';
import { type Charge, chargeOfPayment, chargeOfPeriod, receiptNumberOf, receiptNumberOfPeriod } from './receipts.js';
import { mailAbout } from './subscription-mails.js';

/** Spec 1, section 9. */
export const RENEWAL_NOTICE_DAYS_BEFORE = 30;

interface Addressee {
  readonly email: string | null;
  readonly wants_reminder: boolean;
  readonly language: Locale | null;
}

/** Where a mail goes. */
interface Recipient {
  readonly userId: string | null;
  readonly to: string | null;
  readonly language: Locale | null;
  /** A guest's link to the paid picture. */
  readonly picture?: IssuedPictureLink | null;
}

/** A mail to a user, apart from their address and language. */
export interface UserMail {
  readonly kind: MailKind;
  /** The same mail under the same key is sent once. */
  readonly key: string;
  values(language: Locale): Readonly<Record<string, string | number>>;
}

/** A subscription that took the place of another one. */
export interface PlanChange {
  /** Of the upgrade. */
  readonly id: string;
  readonly userId: string | null;
  readonly from: Subscription;
  readonly to: Subscription;
  readonly refundedCents: number;
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
export class BillingMailer {
  constructor(
    private readonly mailer: Mailer,
    private readonly links: PictureLinks,
    private readonly app: AppConfig,
  ) {}

  /** For something bought once. The address that a guest left at checkout also gets the link back to the picture. */
  async paid(manager: EntityManager, payment: Payment): Promise<void> {
    const payer = await this.addressee(manager, payment.userId);
    const guestEmail = payer?.email ? null : await receiptEmailOf(manager, payment);
    const picture = guestEmail && payment.taskId ? await this.links.issue(manager, payment.taskId, payment.id) : null;
    await this.receipt(manager, chargeOfPayment(payment), {
      userId: payment.userId,
      to: payer?.email ?? guestEmail ?? payment.payerEmail,
      language: payer?.language ?? null,
      picture,
    });
  }

  /** For each period of a subscription that something was paid for. */
  async charged(manager: EntityManager, subscription: Subscription): Promise<void> {
    const charge = chargeOfPeriod(subscription);
    if (!charge) return;
    const { userId } = subscription;
    const payer = await this.addressee(manager, userId);
    await this.receipt(manager, charge, { userId, to: payer?.email ?? null, language: payer?.language ?? null });
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

  /** A charge has its number also where there is no address to send it to. */
  private async receipt(
    manager: EntityManager,
    charge: Charge,
    { userId, to, language, picture }: Recipient,
  ): Promise<void> {
    const number = await receiptNumberOf(manager, charge);
    if (!to) return;
    const spoken = language ?? FALLBACK_LOCALE;
    const values = {
      amount: formatPrice(charge.amountCents, charge.currency),
      date: dateIn(spoken, charge.chargedAt),
      what: nameOfPrice(charge.priceId, spoken),
      number,
    };
    const mail = { key: `receipt:${charge.key}`, userId, to, language: spoken };
    if (!picture) return this.mailer.send(manager, { ...mail, kind: 'receipt', values });
    const url = `${this.app.publicUrl}/photo?${new URLSearchParams({ key: picture.token })}`;
    const withLink = { ...values, url, until: dateIn(spoken, picture.expiresAt) };
    return this.mailer.send(manager, { ...mail, kind: 'pictureReceipt', values: withLink });
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
        url: this.accountUrl(),
      },
    });
  }

  /** After a subscription has changed: its trial began, a payment failed, it was cancelled or has ended. */
  async changed(
    manager: EntityManager,
    before: Subscription | undefined,
    after: Subscription,
    now: Date,
  ): Promise<void> {
    const due = mailAbout(before, after, now);
    if (!due) return;
    const { kind, key, amountCents, date } = due;
    await this.write(manager, after.userId, {
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

  /** After an upgrade or a change of the period: what it gave back, with the receipt it came from. */
  async planChanged(manager: EntityManager, change: PlanChange): Promise<void> {
    const { id, userId, from, to, refundedCents } = change;
    const number = refundedCents > 0 ? await receiptNumberOfPeriod(manager, from) : null;
    await this.write(manager, userId, {
      kind: number ? 'planChangedRefund' : 'planChanged',
      key: `planChanged:${id}`,
      values: (language) => ({
        plan: nameOfPrice(to.priceId, language),
        oldPlan: nameOfPrice(from.priceId, language),
        url: this.accountUrl(),
        ...(number && { amount: formatPrice(refundedCents, from.currency), number }),
      }),
    });
  }

  /** Writes to a user in their language; nothing without an address. */
  async write(manager: EntityManager, userId: string | null, { kind, key, values }: UserMail): Promise<void> {
    const user = await this.addressee(manager, userId);
    if (!user?.email) return;
    const language = user.language ?? FALLBACK_LOCALE;
    await this.mailer.send(manager, { key, userId, to: user.email, kind, language, values: values(language) });
  }

  private accountUrl(): string {
    return `${this.app.publicUrl}/account/subscription`;
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

/** What a guest entered at the last checkout for the same picture. */
async function receiptEmailOf(manager: EntityManager, { userId, taskId }: Payment): Promise<string | null> {
  if (!userId || !taskId) return null;
  const [checkout]: { receipt_email: string | null }[] = await manager.query(
    `SELECT receipt_email FROM checkouts WHERE user_id = $1 AND task_id = $2 AND kind = 'pack'
     ORDER BY created_at DESC LIMIT 1`,
    [userId, taskId],
  );
  return checkout?.receipt_email ?? null;
}
