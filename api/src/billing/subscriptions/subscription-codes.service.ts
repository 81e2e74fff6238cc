import { createHash, randomBytes } from 'node:crypto';
import { inMilliseconds, type Locale, type SubscriptionInfo, type SubscriptionProvider } from '@clearframe/contract';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Mailer } from '../../mail/mailer.js';
import { AppConfig } from '../../platform/config/app.config.js';
import { lockUsers } from '../../platform/database/user-lock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { SubscriptionRow } from '../account/account.entities.js';
import { loadAccount } from '../account/account.repository.js';
import type { BillingAccount } from '../account/state/billing-account.js';
import { billingStateOf, chargeableOf, entitlementsOf, grantsPlan, isOpen } from '../account/state/entitlements.js';
import { BillingClock, CardProvider, WalletProvider } from '../providers/port/payment-provider.js';
import { mapProviderErrors } from '../providers/port/provider-errors.js';
import { SubscriptionsService } from './subscriptions.service.js';

type Purpose = 'cancel' | 'portal';

interface Addressee {
  readonly id: string;
  readonly email: string;
  readonly language: Locale | null;
}

interface Letter {
  readonly userId: string;
  readonly subscriptionId: string;
  readonly to: string;
  readonly language: Locale | null;
  readonly purpose: Purpose;
}

/** 128 bits. */
const CODE_BYTES = 16;
const GOOD_FOR_MINUTES = 60;
/** Codes for one subscription that may be good at a time: nobody's mailbox is filled by asking on. */
const OUTSTANDING = 3;

/** Parameters: hash, purpose, now. */
const VALID = 'hash = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3';

/** Only the hash is stored. A search by it takes as long for any code: there is no secret to compare. */
const hashOf = (code: string): Buffer => createHash('sha256').update(code.trim()).digest();

/** Codes by mail, for whoever cannot or will not log in. Each is for one subscription, and good once. */
@Injectable()
export class SubscriptionCodesService implements OnApplicationShutdown {
  private readonly logger = new Logger(SubscriptionCodesService.name);
  private readonly writing = new Set<Promise<unknown>>();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly subscriptions: SubscriptionsService,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
    private readonly app: AppConfig,
    private readonly clock: BillingClock,
    private readonly mailer: Mailer,
  ) {}

  /**
   * Says nothing of whether anybody has that address, not even by the time it takes: what is done for one that is known
   * is not waited for. Only an address that its owner has proven is written to.
   */
  async mail({ email, purpose }: { readonly email: string; readonly purpose: Purpose }): Promise<void> {
    const users: Addressee[] = await this.database.query(
      'SELECT id, email, language FROM users WHERE lower(email) = lower($1) AND email_verified',
      [email.trim()],
    );
    for (const user of users) {
      const work: Promise<unknown> = this.write(user, purpose)
        .catch((error: Error) => this.logger.error({ err: error }, 'a code could not be sent'))
        .finally(() => this.writing.delete(work));
      this.writing.add(work);
    }
  }

  /** Resolves when everything that was asked for until now has been written. */
  async idle(): Promise<void> {
    await Promise.all(this.writing);
  }

  onApplicationShutdown(): Promise<void> {
    return this.idle();
  }

  private async write({ id, email, language }: Addressee, purpose: Purpose): Promise<void> {
    const [account, now] = [await loadAccount(this.database.manager, id), await this.clock.now()];
    const subscriptionId = purpose === 'portal' ? cardSubscriptionOf(account) : cancellableOf(account, now);
    const inWallet = purpose === 'portal' ? walletSubscriptionOf(account, now) : null;
    await this.database.transaction(async (manager) => {
      // Of many at once, no more than are allowed.
      await lockUsers(manager, id);
      if (subscriptionId) await this.send(manager, { userId: id, subscriptionId, to: email, language, purpose });
      if (inWallet) await this.sendWalletPortal(manager, { id, email, language }, inWallet);
    });
  }

  /** A wallet opens no portal for us. At most one mail an hour. */
  private async sendWalletPortal(
    manager: EntityManager,
    { id: userId, email: to, language }: Addressee,
    subscriptionId: string,
  ): Promise<void> {
    const hour = Math.floor(Date.now() / inMilliseconds.hours(1));
    const values = {
      walletUrl: this.wallet.automaticPaymentsUrl,
      cancelUrl: `${this.app.publicUrl}/subscription/cancel`,
    };
    await this.mailer.send(manager, {
      key: `walletPortal:${subscriptionId}:${hour}`,
      userId,
      to,
      kind: 'walletPortal',
      language,
      values,
    });
  }

  private async send(manager: EntityManager, { userId, subscriptionId, to, language, purpose }: Letter): Promise<void> {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const now = await this.clock.now();
    const [outstanding]: { count: number }[] = await manager.query(
      `SELECT count(*)::int FROM subscription_codes
       WHERE subscription_id = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3`,
      [subscriptionId, purpose, now],
    );
    if ((outstanding?.count ?? 0) >= OUTSTANDING) return;
    await manager.query(
      `INSERT INTO subscription_codes (hash, purpose, subscription_id, expires_at)
       VALUES ($1, $2, $3, $4)`,
      [hashOf(code), purpose, subscriptionId, new Date(now.getTime() + inMilliseconds.minutes(GOOD_FOR_MINUTES))],
    );
    const kind = purpose === 'cancel' ? 'cancelCode' : 'portalCode';
    const key = `code:${hashOf(code).toString('base64url')}`;
    await this.mailer.send(manager, { key, userId, to, kind, language, values: { code, minutes: GOOD_FOR_MINUTES } });
  }

  /** A code opens nothing but what it is for: the answer holds no way into the portal. */
  async cancel(provider: SubscriptionProvider, code: string): Promise<SubscriptionInfo> {
    if (provider === 'mobile') throw new AppError('subscriptions.managed_elsewhere');
    return this.use('cancel', code, async (row) => {
      if (row.provider !== provider || !row.providerId) throw new AppError('billing.code_invalid');
      const info = await this.subscriptions.cancelKnown({ ...row, providerId: row.providerId });
      return { ...info, portalSessionUrl: null };
    });
  }

  async openPortal(code: string, customerId: string | null | undefined): Promise<{ portalSessionUrl: string }> {
    return this.use('portal', code, async (row) => {
      if (!row.customerId || (customerId && customerId !== row.customerId)) throw new AppError('billing.code_invalid');
      return { portalSessionUrl: await mapProviderErrors(this.cards.openPortal(row.customerId)) };
    });
  }

  /**
   * Providers are asked outside of a transaction, and the code is consumed after that: a failure leaves it valid. Of
   * concurrent uses one gets the result; asking twice is harmless (ending what ends, another address of the portal).
   */
  private async use<Result>(
    purpose: Purpose,
    code: string,
    act: (row: SubscriptionRow) => Promise<Result>,
  ): Promise<Result> {
    const row = await this.find(purpose, code);
    if (!row) throw new AppError('billing.code_invalid');
    const result = await act(row);
    if (!(await this.consume(purpose, code))) throw new AppError('billing.code_invalid');
    return result;
  }

  private async find(purpose: Purpose, code: string): Promise<SubscriptionRow | null> {
    const [found]: { subscription_id: string }[] = await this.database.query(
      `SELECT subscription_id FROM subscription_codes WHERE ${VALID}`,
      [hashOf(code), purpose, await this.clock.now()],
    );
    return found ? this.database.manager.findOneBy(SubscriptionRow, { id: found.subscription_id }) : null;
  }

  /** False when it was used or has expired in the meantime. */
  private async consume(purpose: Purpose, code: string): Promise<boolean> {
    const [, consumed]: [unknown[], number] = await this.database.query(
      `UPDATE subscription_codes SET used_at = now() WHERE ${VALID}`,
      [hashOf(code), purpose, await this.clock.now()],
    );
    return consumed === 1;
  }

  async purge(): Promise<void> {
    await this.database.query(`DELETE FROM subscription_codes WHERE expires_at < now() - interval '30 days'`);
  }
}

/** The card provider's portal shows receipts of subscriptions that have ended, too. */
const cardSubscriptionOf = ({ subscriptions }: BillingAccount): string | null =>
  subscriptions.findLast(({ customerId }) => customerId !== null)?.id ?? null;

/** A wallet's subscription that is charged for or still gives something. */
const walletSubscriptionOf = ({ subscriptions }: BillingAccount, now: Date): string | null =>
  subscriptions.findLast((row) => row.provider === 'paypal' && row.providerId && (isOpen(row) || grantsPlan(row, now)))
    ?.id ?? null;

/** One that would renew first, whatever else there is; then whichever can be looked at. */
function cancellableOf(account: BillingAccount, now: Date): string | null {
  const renewing = chargeableOf(account.subscriptions).find(({ cancelAtPeriodEnd }) => !cancelAtPeriodEnd);
  if (renewing) return renewing.id;
  const { managed } = entitlementsOf(billingStateOf(account), now);
  return managed && managed.provider !== 'mobile' ? managed.id : null;
}
