import { randomBytes } from 'node:crypto';
import { inMilliseconds, type SubscriptionInfo, type SubscriptionProvider } from '@clearframe/contract';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { SubscriptionRow } from '../billing-accounts/account.entities.js';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import type { BillingAccount } from '../billing-accounts/billing-account.js';
import { billingStateOf, chargeableOf, entitlementsOf, grantsPlan, isOpen } from '../billing-accounts/entitlements.js';
import { Mailer } from '../mail/mailer.js';
import { AppConfig } from '../platform/config/app.config.js';
import { sha256 } from '../platform/config/seal.js';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { BillingClock } from '../providers/billing-clock.js';
import { CardProvider, type ProviderName, WalletProvider } from '../providers/payment-provider.js';
import { type Addressee, UserRepository } from '../users/user.repository.js';
import { type CodePurpose, SubscriptionCodeRepository } from './subscription-code.repository.js';
import { SubscriptionsService } from './subscriptions.service.js';

interface CodeMail {
  readonly user: Addressee;
  readonly subscriptionId: string;
  readonly purpose: CodePurpose;
}

/** 128 bits. */
const CODE_BYTES = 16;
const VALID_MINUTES = 60;
/** For one subscription, so that repeated requests don't flood a mailbox. */
const MAX_VALID_CODES = 3;

/** Lookup by hash: no secret is compared. */
const hashOf = (code: string): Buffer => sha256(code.trim());

/** Single-use codes by mail, which manage one subscription without a login. */
@Injectable()
export class SubscriptionCodesService implements OnApplicationShutdown {
  private readonly logger = new Logger(SubscriptionCodesService.name);
  private readonly pending = new Set<Promise<unknown>>();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly codes: SubscriptionCodeRepository,
    private readonly users: UserRepository,
    private readonly accounts: AccountRepository,
    private readonly subscriptions: SubscriptionsService,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
    private readonly app: AppConfig,
    private readonly clock: BillingClock,
    private readonly mailer: Mailer,
  ) {}

  /**
   * Sends a code to a verified address. Mails are written in the background, so that neither response nor timing
   * reveals whether the address is known.
   */
  async send({ email, purpose }: { readonly email: string; readonly purpose: CodePurpose }): Promise<void> {
    for (const user of await this.users.listByVerifiedEmail(email.trim())) {
      const work: Promise<unknown> = this.sendMails(user, purpose)
        .catch((error: Error) => this.logger.error({ err: error }, 'a code could not be sent'))
        .finally(() => this.pending.delete(work));
      this.pending.add(work);
    }
  }

  /** Resolves when all requested mails are written. */
  async idle(): Promise<void> {
    await Promise.all(this.pending);
  }

  onApplicationShutdown(): Promise<void> {
    return this.idle();
  }

  private async sendMails(user: Addressee, purpose: CodePurpose): Promise<void> {
    const [account, now] = [await this.accounts.load(user.id), this.clock.now()];
    const subscriptionId = purpose === 'portal' ? cardSubscriptionOf(account) : cancellableOf(account, now);
    const walletSubscriptionId = purpose === 'portal' ? walletSubscriptionOf(account, this.wallet.name, now) : null;
    await this.database.transaction(async (manager) => {
      // Makes the limit of valid codes hold for concurrent requests.
      await lockUsers(manager, user.id);
      if (subscriptionId) await this.sendCode(manager, { user, subscriptionId, purpose });
      if (walletSubscriptionId) await this.sendWalletPortal(manager, user, walletSubscriptionId);
    });
  }

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
    const key = `walletPortal:${subscriptionId}:${hour}`;
    await this.mailer.send(manager, { key, userId, to, kind: 'walletPortal', language, values });
  }

  private async sendCode(manager: EntityManager, { user, subscriptionId, purpose }: CodeMail): Promise<void> {
    const now = this.clock.now();
    if ((await this.codes.countValid(manager, subscriptionId, purpose, now)) >= MAX_VALID_CODES) return;
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const hash = hashOf(code);
    const expiresAt = new Date(now.getTime() + inMilliseconds.minutes(VALID_MINUTES));
    await this.codes.insert(manager, { hash, purpose, subscriptionId, expiresAt });
    await this.mailer.send(manager, {
      key: `code:${hash.toString('base64url')}`,
      userId: user.id,
      to: user.email,
      kind: purpose === 'cancel' ? 'cancelCode' : 'portalCode',
      language: user.language,
      values: { code, minutes: VALID_MINUTES },
    });
  }

  async cancel(provider: SubscriptionProvider, code: string): Promise<SubscriptionInfo> {
    if (provider === 'mobile') throw new AppError('subscriptions.managed_elsewhere');
    return this.withCode('cancel', code, async (row) => {
      if (row.provider !== provider || !row.providerId) throw new AppError('billing.code_invalid');
      const info = await this.subscriptions.cancelCreated({ ...row, provider, providerId: row.providerId });
      return { ...info, portalSessionUrl: null };
    });
  }

  async openPortal(code: string, customerId: string | null | undefined): Promise<{ portalSessionUrl: string }> {
    return this.withCode('portal', code, async (row) => {
      if (!row.customerId || (customerId && customerId !== row.customerId)) throw new AppError('billing.code_invalid');
      return { portalSessionUrl: await this.cards.openPortal(row.customerId) };
    });
  }

  /**
   * Calls the provider outside a transaction and consumes the code afterwards, so that a failure leaves it valid. One
   * of several concurrent calls succeeds; repeating them is harmless.
   */
  private async withCode<Result>(
    purpose: CodePurpose,
    code: string,
    act: (row: SubscriptionRow) => Promise<Result>,
  ): Promise<Result> {
    const [hash, now] = [hashOf(code), this.clock.now()];
    const subscriptionId = await this.codes.subscriptionOf(hash, purpose, now);
    const row = subscriptionId && (await this.accounts.findSubscription({ id: subscriptionId }));
    if (!row) throw new AppError('billing.code_invalid');
    const result = await act(row);
    const isConsumed = await this.codes.consume(hash, purpose, this.clock.now());
    if (!isConsumed) throw new AppError('billing.code_invalid');
    return result;
  }

  purge(): Promise<void> {
    return this.codes.purge();
  }
}

const cardSubscriptionOf = ({ subscriptions }: BillingAccount): string | null =>
  subscriptions.findLast(({ customerId }) => customerId !== null)?.id ?? null;

const walletSubscriptionOf = ({ subscriptions }: BillingAccount, wallet: ProviderName, now: Date): string | null =>
  subscriptions.findLast((row) => row.provider === wallet && row.providerId && (isOpen(row) || grantsPlan(row, now)))
    ?.id ?? null;

function cancellableOf(account: BillingAccount, now: Date): string | null {
  const renewing = chargeableOf(account.subscriptions).find(({ cancelAtPeriodEnd }) => !cancelAtPeriodEnd);
  if (renewing) return renewing.id;
  const { managed } = entitlementsOf(billingStateOf(account), now);
  return managed && managed.provider !== 'mobile' ? managed.id : null;
}
