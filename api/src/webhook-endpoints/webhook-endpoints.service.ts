import {
  type CreatedWebhookEndpoint,
  type CreateWebhookEndpoint,
  may,
  type RolledWebhookSecret,
  type RouteResult,
  type UpdateWebhookEndpoint,
  WEBHOOK_ENDPOINTS_MAX,
  type WebhookEndpoint,
  type webhookRoutes,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditRepository } from '../audit/audit.repository.js';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { OutboundHttp } from '../platform/outbound/outbound-http.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { type EndpointRow, newEndpoint, WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import { overlapEndOf, WebhookSecrets } from './webhook-secrets.js';

/** @throws AppError `webhook_endpoints.not_in_plan` */
export function requireWebhooks(caller: Caller): void {
  if (!may(caller, 'plugin_key')) throw new AppError('webhook_endpoints.not_in_plan');
}

@Injectable()
export class WebhookEndpointsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: WebhookEndpointsRepository,
    private readonly secrets: WebhookSecrets,
    private readonly outbound: OutboundHttp,
    private readonly sessions: SessionService,
    private readonly audit: AuditRepository,
  ) {}

  /** Allowed while the plan has no webhooks, so that endpoints can be deleted. */
  async list({ userId }: Caller): Promise<RouteResult<typeof webhookRoutes.listWebhookEndpoints>> {
    const [rows, callbacks] = await Promise.all([this.repository.list(userId), this.repository.findCallbacks(userId)]);
    return { data: rows.map(present), callbackSecretCreatedAt: callbacks?.secretShownAt?.toISOString() ?? null };
  }

  /**
   * The secret appears in this response only.
   * @throws AppError `webhook_endpoints.not_in_plan`, `webhook_endpoints.limit_reached`, `uploads.address_refused`,
   *   `uploads.address_unreachable`
   */
  async create(caller: Caller, { url, events }: CreateWebhookEndpoint): Promise<CreatedWebhookEndpoint> {
    requireWebhooks(caller);
    await this.outbound.check(url);
    const row = newEndpoint(caller.userId, url, events);
    const { secret, secrets } = await this.secrets.roll(row);
    const stored = { ...row, url, secrets, secretShownAt: row.createdAt };
    await this.database.transaction(async (manager) => {
      await lockUsers(manager, caller.userId);
      await this.sessions.hold(manager, caller);
      if ((await this.repository.list(caller.userId, manager)).length >= WEBHOOK_ENDPOINTS_MAX) {
        throw new AppError('webhook_endpoints.limit_reached', { details: { limit: WEBHOOK_ENDPOINTS_MAX } });
      }
      await this.repository.insert(manager, stored);
      await this.record(manager, caller, 'create', { id: row.id, host: new URL(url).host });
    });
    return { ...present(stored), secret };
  }

  /**
   * The address is not checked while the endpoint is off: one whose host is gone must be able to be switched off.
   * @throws AppError `webhook_endpoints.not_in_plan`, `webhook_endpoints.not_found`, `uploads.address_refused`,
   *   `uploads.address_unreachable`
   */
  async update(
    caller: Caller,
    id: string,
    { url, events, isEnabled }: UpdateWebhookEndpoint,
  ): Promise<WebhookEndpoint> {
    requireWebhooks(caller);
    if (isEnabled) await this.outbound.check(url);
    return this.database.transaction(async (manager) => {
      const row = await this.lock(manager, caller, id);
      const change = isEnabled
        ? { url, events, disabledReason: null, failingSince: row.disabledReason ? null : row.failingSince }
        : { url, events, disabledReason: row.disabledReason ?? ('owner' as const) };
      await this.repository.update(manager, id, change);
      await this.record(manager, caller, 'update', { id, host: new URL(url).host, events, is_enabled: isEnabled });
      return present({ ...row, ...change });
    });
  }

  /** @throws AppError `webhook_endpoints.not_found` */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      await this.lock(manager, caller, id);
      await this.repository.delete(manager, id);
      await this.record(manager, caller, 'delete', { id });
    });
  }

  /**
   * The secret appears in this response only.
   * @throws AppError `webhook_endpoints.not_in_plan`, `webhook_endpoints.not_found`
   */
  async rollSecret(caller: Caller, id: string): Promise<RolledWebhookSecret> {
    requireWebhooks(caller);
    return this.database.transaction(async (manager) => {
      const { secret, secrets } = await this.secrets.roll(await this.lock(manager, caller, id));
      await this.repository.update(manager, id, { secrets, secretShownAt: new Date() });
      await this.record(manager, caller, 'roll', { id });
      return { secret, previousSecretExpiresAt: overlapEndOf({ secrets }) };
    });
  }

  private async lock(manager: EntityManager, caller: Caller, id: string): Promise<EndpointRow> {
    await this.sessions.hold(manager, caller);
    const row = await this.repository.lockOwn(manager, caller.userId, id);
    if (!row) throw new AppError('webhook_endpoints.not_found');
    return row;
  }

  private record(manager: EntityManager, { userId }: Caller, action: string, details: object): Promise<void> {
    return this.audit.record({ actor: `user:${userId}`, action: `webhook_endpoints.${action}`, details }, manager);
  }
}

const present = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  events: row.events,
  isEnabled: row.disabledReason === null,
  disabledReason: row.disabledReason,
  failingSince: row.failingSince?.toISOString() ?? null,
  previousSecretExpiresAt: overlapEndOf(row),
  createdAt: row.createdAt.toISOString(),
});
