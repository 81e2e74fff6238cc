import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Mailer } from '../mail/mailer.js';
import { AppConfig } from '../platform/config/app.config.js';
import { holdUser } from '../platform/database/statements.js';
import { UserRepository } from '../users/user.repository.js';
import {
  type WebhookEndpointRow,
  WebhookEndpointsRepository,
} from '../webhook-endpoints/webhook-endpoints.repository.js';

/** Disables endpoints that accept nothing, and tells their owners. */
@Injectable()
export class EndpointDisabler {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly users: UserRepository,
    private readonly mailer: Mailer,
    private readonly app: AppConfig,
  ) {}

  /** Does nothing for callback addresses, and for an endpoint that is disabled already. @param since its first failure */
  async disable({ id, userId, url }: WebhookEndpointRow, reason: 'gone' | 'failing', since: Date): Promise<void> {
    if (url === null) return;
    await this.database.transaction(async (manager) => {
      // First, as an erasure does: it takes the endpoints after the user.
      if (!(await holdUser(manager, userId)) || !(await this.endpoints.disable(manager, id, reason))) return;
      const user = await this.users.find(userId, manager);
      if (!user?.email) return;
      const { host, pathname } = new URL(url);
      await this.mailer.send(manager, {
        key: `webhookDisabled:${id}:${since.toISOString()}`,
        userId,
        to: user.email,
        kind: 'webhookDisabled',
        language: user.language,
        values: { address: host + pathname, reason, url: `${this.app.publicUrl}/account/webhooks/${id}` },
      });
    });
  }
}
