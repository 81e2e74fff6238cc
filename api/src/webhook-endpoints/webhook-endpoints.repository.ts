import { randomUUID } from 'node:crypto';
import { WEBHOOK_DISABLED_REASONS, type WebhookEventType } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, IsNull, Not, PrimaryColumn } from 'typeorm';
import { z } from 'zod';
import { JsonColumn } from '../platform/database/json-column.js';

const StoredSecret = z.object({
  sealed: z.string(),
  /** Null for the newest. */
  expiresAt: z.iso.datetime().nullable(),
});
export type StoredSecret = Readonly<z.infer<typeof StoredSecret>>;

export type DisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

@Entity('webhook_endpoints')
export class WebhookEndpointRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  /** Null for the row of a user's callback addresses, which are those of their requests. */
  @Column('text', { nullable: true })
  url!: string | null;

  @Column('text', { array: true })
  events!: WebhookEventType[];

  /** Newest first. */
  @JsonColumn(z.array(StoredSecret))
  secrets!: StoredSecret[];

  /** Null for a secret of callbacks that was made by the first one. */
  @Column('timestamptz', { nullable: true })
  secretShownAt!: Date | null;

  @Column('text', { nullable: true })
  disabledReason!: DisabledReason | null;

  /** The first failure since the last success. */
  @Column('timestamptz', { nullable: true })
  failingSince!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;
}

/** An endpoint of the account, not the row of its callbacks. */
export type EndpointRow = WebhookEndpointRow & { readonly url: string };

type Choice = Pick<WebhookEndpointRow, 'url' | 'events' | 'disabledReason'>;

/** Methods that take a manager run in its transaction; locks are held until it ends. */
@Injectable()
export class WebhookEndpointsRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async insert(manager: EntityManager, row: WebhookEndpointRow): Promise<void> {
    await manager.insert(WebhookEndpointRow, row);
  }

  find(id: string): Promise<WebhookEndpointRow | null> {
    return this.database.manager.findOneBy(WebhookEndpointRow, { id });
  }

  /** Null for another user's, and for the row of callbacks. */
  findOwn(userId: string, id: string, manager = this.database.manager): Promise<EndpointRow | null> {
    return manager.findOneBy(WebhookEndpointRow, { id, userId, url: Not(IsNull()) }) as Promise<EndpointRow | null>;
  }

  /** Null for another user's, and for the row of callbacks. */
  lockOwn(manager: EntityManager, userId: string, id: string): Promise<EndpointRow | null> {
    return manager.findOne(WebhookEndpointRow, {
      where: { id, userId, url: Not(IsNull()) },
      lock: { mode: 'pessimistic_write' },
    }) as Promise<EndpointRow | null>;
  }

  /** Oldest first. */
  list(userId: string, manager = this.database.manager): Promise<EndpointRow[]> {
    return manager.find(WebhookEndpointRow, {
      where: { userId, url: Not(IsNull()) },
      order: { createdAt: 'ASC', id: 'ASC' },
    }) as Promise<EndpointRow[]>;
  }

  /** For operators: those that fail longest first, then the newest. */
  listAll({
    userId,
    onlyFailing,
    limit,
  }: {
    readonly userId: string | undefined;
    readonly onlyFailing: boolean;
    readonly limit: number;
  }): Promise<EndpointRow[]> {
    return this.database.manager.find(WebhookEndpointRow, {
      where: { url: Not(IsNull()), ...(userId && { userId }), ...(onlyFailing && { failingSince: Not(IsNull()) }) },
      order: { failingSince: { direction: 'ASC', nulls: 'LAST' }, createdAt: 'DESC', id: 'ASC' },
      take: limit,
    }) as Promise<EndpointRow[]>;
  }

  findCallbacks(userId: string, manager = this.database.manager): Promise<WebhookEndpointRow | null> {
    return manager.findOneBy(WebhookEndpointRow, { userId, url: IsNull() });
  }

  /** Keeps the row that there is. */
  async insertCallbacks(manager: EntityManager, row: WebhookEndpointRow): Promise<void> {
    await manager.createQueryBuilder().insert().into(WebhookEndpointRow).values(row).orIgnore().execute();
  }

  lockCallbacks(manager: EntityManager, userId: string): Promise<WebhookEndpointRow> {
    return manager.findOneOrFail(WebhookEndpointRow, {
      where: { userId, url: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
  }

  async update(
    manager: EntityManager,
    id: string,
    change: Partial<Choice & Pick<WebhookEndpointRow, 'secrets' | 'secretShownAt' | 'failingSince'>>,
  ): Promise<void> {
    await manager.update(WebhookEndpointRow, { id }, change);
  }

  async recordSuccess(id: string): Promise<void> {
    await this.database.manager.update(WebhookEndpointRow, { id, failingSince: Not(IsNull()) }, { failingSince: null });
  }

  /** @returns since when it fails; null for a row that is gone */
  async recordFailure(id: string): Promise<Date | null> {
    const [rows]: [{ failing_since: Date }[], number] = await this.database.query(
      `UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, now()) WHERE id = $1 RETURNING failing_since`,
      [id],
    );
    return rows[0]?.failing_since ?? null;
  }

  /** @returns false when it is disabled already, or gone */
  async disable(manager: EntityManager, id: string, disabledReason: DisabledReason): Promise<boolean> {
    const { affected } = await manager.update(
      WebhookEndpointRow,
      { id, url: Not(IsNull()), disabledReason: IsNull() },
      { disabledReason },
    );
    return affected === 1;
  }

  /** @returns false when it is enabled already, or gone */
  async enable(manager: EntityManager, id: string): Promise<boolean> {
    const { affected } = await manager.update(
      WebhookEndpointRow,
      { id, disabledReason: Not(IsNull()) },
      { disabledReason: null, failingSince: null },
    );
    return affected === 1;
  }

  async delete(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(WebhookEndpointRow, { id });
  }

  async deleteOfUser(userId: string, manager: EntityManager = this.database.manager): Promise<void> {
    await manager.delete(WebhookEndpointRow, { userId });
  }
}

export const newEndpoint = (
  userId: string,
  url: string | null,
  events: readonly WebhookEventType[],
): WebhookEndpointRow => ({
  id: randomUUID(),
  userId,
  url,
  events: [...events],
  secrets: [],
  secretShownAt: null,
  disabledReason: null,
  failingSince: null,
  createdAt: new Date(),
});
