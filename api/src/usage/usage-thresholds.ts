import { dateFormat, FALLBACK_LOCALE, languageTagOf } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Mailer } from '../mail/mailer.js';
import { AppConfig } from '../platform/config/app.config.js';
import { UserRepository } from '../users/user.repository.js';
import { WebhookMessagesRepository } from '../webhook-endpoints/webhook-messages.repository.js';
import { type HeldKey, type MonthCount, UsageRepository } from './usage.repository.js';
import { monthOf, startOfNextMonth } from './utc.js';

/** Parts of a monthly limit that owners are told of, in percent, the highest first. */
const THRESHOLDS = [
  { percent: 100, kind: 'usageExhausted' },
  { percent: 80, kind: 'usageWarning' },
] as const;

/** Tells owners how much of a key's month is used, by mail and as a webhook event: each part once a month. */
@Injectable()
export class UsageThresholds {
  constructor(
    private readonly repository: UsageRepository,
    private readonly users: UserRepository,
    private readonly messages: WebhookMessagesRepository,
    private readonly mailer: Mailer,
    private readonly app: AppConfig,
  ) {}

  /** The transaction has counted and holds the month. One start that passes both parts tells of the higher one. */
  async tell(manager: EntityManager, key: HeldKey, { used, told }: MonthCount, at: Date): Promise<void> {
    const { perMonth } = key;
    if (perMonth === null) return;
    const passed = THRESHOLDS.find(({ percent }) => used * 100 >= perMonth * percent);
    if (!passed || passed.percent <= told) return;
    const { percent, kind } = passed;
    const { userId, keyId } = key;
    const resetsAt = startOfNextMonth(at);
    await this.repository.setTold(manager, key, at, percent);
    const data = { keyId, limit: perMonth, used, percent, resetsAt: resetsAt.toISOString() };
    await this.messages.recordUsageThreshold(manager, userId, data);
    const user = await this.users.find(userId, manager);
    if (!user?.email || !user.isEmailVerified) return;
    const language = user.language ?? FALLBACK_LOCALE;
    await this.mailer.send(manager, {
      key: `${kind}:${keyId}:${monthOf(at)}`,
      userId,
      to: user.email,
      kind,
      language,
      values: {
        key: key.name ?? `${key.prefix}…`,
        used,
        allowed: perMonth,
        date: dateFormat(languageTagOf(language))(resetsAt),
        url: `${this.app.publicUrl}/account/plugin-key`,
      },
    });
  }
}
