import { may, type RolledWebhookSecret } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditRepository } from '../audit/audit.repository.js';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { OutboundHttp } from '../platform/outbound/outbound-http.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { newEndpoint, type WebhookEndpointRow, WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import { overlapEndOf, WebhookSecrets } from './webhook-secrets.js';

/** Addresses that requests name for their own events. All of a user's are signed with one secret. */
@Injectable()
export class WebhookCallbacks {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: WebhookEndpointsRepository,
    private readonly secrets: WebhookSecrets,
    private readonly outbound: OutboundHttp,
    private readonly sessions: SessionService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Pages name no address: without this check guests could have requests sent to any host.
   * @throws AppError `webhook_endpoints.not_in_plan` for a session of another plan; `uploads.address_refused`,
   *   `uploads.address_unreachable`
   */
  async check(caller: Caller, callbackUrl: string | undefined): Promise<void> {
    if (callbackUrl === undefined) return;
    if (caller.principal.kind !== 'key' && !may(caller, 'plugin_key')) {
      throw new AppError('webhook_endpoints.not_in_plan');
    }
    await this.outbound.check(callbackUrl);
  }

  /** Events are recorded for users with a row only. */
  async register(
    manager: EntityManager,
    { userId, callbackUrl }: { readonly userId: string; readonly callbackUrl: string | null },
  ): Promise<void> {
    if (callbackUrl === null || (await this.repository.findCallbacks(userId, manager))) return;
    await this.repository.insertCallbacks(manager, await this.newCallbacks(userId));
  }

  /** The secret appears in this response only. */
  async rollSecret(caller: Caller): Promise<RolledWebhookSecret> {
    const { userId } = caller;
    return this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      await this.sessions.hold(manager, caller);
      await this.repository.insertCallbacks(manager, await this.newCallbacks(userId));
      const row = await this.repository.lockCallbacks(manager, userId);
      // The secret of the first callback has never been shown.
      const known = row.secretShownAt ? row.secrets : [];
      const { secret, secrets } = await this.secrets.roll({ id: row.id, secrets: known });
      await this.repository.update(manager, row.id, { secrets, secretShownAt: new Date() });
      await this.audit.record({ actor: `user:${userId}`, action: 'webhook_callbacks.roll', details: {} }, manager);
      return { secret, previousSecretExpiresAt: overlapEndOf({ secrets }) };
    });
  }

  private async newCallbacks(userId: string): Promise<WebhookEndpointRow> {
    const row = newEndpoint(userId, null, []);
    const { secrets } = await this.secrets.roll(row);
    return { ...row, secrets };
  }
}
