import { WebhookAttempt, type WebhookDeliveryStatus, type WebhookSkipReason } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { z } from 'zod';
import { JsonColumn } from '../platform/database/json-column.js';

@Entity('webhook_deliveries')
export class WebhookDeliveryRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  messageId!: string;

  @Column('uuid')
  endpointId!: string;

  @Column('uuid')
  userId!: string;

  /** What is delivered independently of everything else: an endpoint, or the callback addresses of one host. */
  @Column('text')
  lane!: string;

  /** Of the last attempt. */
  @Column('text')
  url!: string;

  @Column('text')
  status!: WebhookDeliveryStatus;

  @Column('text', { nullable: true })
  skipReason!: WebhookSkipReason | null;

  /** Failures since the event, or since it was sent again. */
  @Column('int')
  tries!: number;

  @JsonColumn(z.array(WebhookAttempt))
  attempts!: WebhookAttempt[];

  /** Start of the last attempt's body. */
  @Column('text', { nullable: true })
  request!: string | null;

  @Column('timestamptz', { nullable: true })
  nextAttemptAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;
}

/** With what its message says. */
export type ListedDelivery = WebhookDeliveryRow & { readonly type: string; readonly isCallback: boolean };

export interface DeliveryFilter {
  readonly endpointId?: string | undefined;
  readonly type?: string | undefined;
  readonly status?: WebhookDeliveryStatus | undefined;
}

/** Attempts that are kept of a delivery, which can be sent again any number of times. */
const ATTEMPTS_KEPT = 20;

const DUE = `status = 'pending' AND next_attempt_at <= now()`;
const RETRIES = `SELECT FROM webhook_deliveries r
  WHERE r.lane = webhook_deliveries.lane AND r.status = 'pending' AND r.tries > 0`;

/** Lanes with due deliveries: without a failed one, or with one. */
export const dueLanes = (isFailing: boolean) => ({
  table: 'webhook_deliveries',
  subject: 'lane',
  where: `${DUE} AND ${isFailing ? '' : 'NOT '}EXISTS (${RETRIES})`,
  orderBy: 'next_attempt_at',
});

@Injectable()
export class WebhookDeliveriesRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /**
   * Due deliveries of a lane, those that have not failed first. Not due again for `seconds`: longer than an attempt, so
   * that only one is under way, and that another process repeats it if this one dies.
   */
  async take(lane: string, limit: number, seconds: number): Promise<WebhookDeliveryRow[]> {
    const [taken]: [{ id: string }[], number] = await this.database.query(
      `UPDATE webhook_deliveries SET next_attempt_at = now() + make_interval(secs => $3) WHERE id IN (
         SELECT id FROM webhook_deliveries WHERE lane = $1 AND ${DUE}
         ORDER BY tries, next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [lane, limit, seconds],
    );
    const ids = taken.map(({ id }) => id);
    if (ids.length === 0) return [];
    return this.database.manager
      .createQueryBuilder(WebhookDeliveryRow, 'delivery')
      .where('delivery.id IN (:...ids)', { ids })
      .getMany();
  }

  /** @param waitMs until the next attempt; null: there is none */
  async recordAttempt(
    { id }: WebhookDeliveryRow,
    {
      status,
      attempt,
      url,
      request,
      waitMs,
    }: {
      readonly status: WebhookDeliveryStatus;
      readonly attempt: WebhookAttempt;
      readonly url: string;
      readonly request: string;
      readonly waitMs: number | null;
    },
  ): Promise<void> {
    await this.database.query(
      `UPDATE webhook_deliveries SET status = $2, url = $3, request = $4,
         tries = tries + CASE $2 WHEN 'delivered' THEN 0 ELSE 1 END,
         attempts = CASE WHEN jsonb_array_length(attempts) < ${ATTEMPTS_KEPT} THEN attempts ELSE attempts - 0 END || $5::jsonb,
         next_attempt_at = now() + make_interval(secs => $6::float8)
       WHERE id = $1 AND status = 'pending'`,
      [id, status, url, request, JSON.stringify([attempt]), waitMs === null ? null : waitMs / 1000],
    );
  }

  async skip({ id }: WebhookDeliveryRow, skipReason: WebhookSkipReason): Promise<void> {
    await this.database.manager.update(
      WebhookDeliveryRow,
      { id, status: 'pending' },
      { status: 'skipped', skipReason, nextAttemptAt: null },
    );
  }

  /**
   * Delays what else is due in a lane after a failure, longer with every failed delivery: an address that hangs would
   * otherwise be waited for without a pause.
   */
  async holdBack(lane: string, stepMs: number, maxMs: number): Promise<void> {
    await this.database.query(
      `UPDATE webhook_deliveries SET next_attempt_at = now() + make_interval(secs => least($3::float8, $2::float8 * (
         SELECT count(*) FROM webhook_deliveries r WHERE r.lane = $1 AND r.status = 'pending' AND r.tries > 0)))
       WHERE lane = $1 AND ${DUE}`,
      [lane, stepMs / 1000, maxMs / 1000],
    );
  }

  /** @returns false when it is gone */
  async sendAgain(manager: EntityManager, id: string): Promise<boolean> {
    const { affected } = await manager.update(
      WebhookDeliveryRow,
      { id },
      { status: 'pending', skipReason: null, tries: 0, nextAttemptAt: () => 'now()' },
    );
    return affected === 1;
  }

  /** Null when it is gone. */
  async endpointOf(manager: EntityManager, id: string): Promise<string | null> {
    const row = await manager.findOne(WebhookDeliveryRow, { where: { id }, select: { endpointId: true } });
    return row?.endpointId ?? null;
  }

  async find(userId: string, id: string): Promise<ListedDelivery | null> {
    const [found] = await this.listed(userId, 1, 'd.id = :id', { id });
    return found ?? null;
  }

  async findOfMessage(userId: string, messageId: string): Promise<ListedDelivery | null> {
    const [found] = await this.listed(userId, 1, 'd.message_id = :messageId', { messageId });
    return found ?? null;
  }

  /** Newest first. */
  list(
    userId: string,
    { endpointId, type, status }: DeliveryFilter,
    after: string | undefined,
    limit: number,
  ): Promise<ListedDelivery[]> {
    const conditions = [
      ...(endpointId ? ['d.endpoint_id = :endpointId'] : []),
      ...(type ? ['m.type = :type'] : []),
      ...(status ? ['d.status = :status'] : []),
      // Compared in the database, whose times are more precise than a Date.
      ...(after ? ['(d.created_at, d.id) < (SELECT created_at, id FROM webhook_deliveries WHERE id = :after)'] : []),
    ];
    const values = { endpointId, type, status, after };
    return this.listed(userId, limit, conditions.join(' AND ') || 'true', values);
  }

  /** Oldest first. */
  listOfUser(userId: string): Promise<{ url: string; type: string; status: string; created_at: Date }[]> {
    return this.database.query(
      `SELECT d.url, m.type, d.status, d.created_at FROM webhook_deliveries d JOIN webhook_messages m ON m.id = d.message_id
       WHERE d.user_id = $1 ORDER BY d.created_at`,
      [userId],
    );
  }

  private async listed(
    userId: string,
    limit: number,
    where: string,
    values: Readonly<Record<string, unknown>>,
  ): Promise<ListedDelivery[]> {
    const { entities, raw } = await this.database.manager
      .createQueryBuilder(WebhookDeliveryRow, 'd')
      .addSelect('m.type', 'type')
      .addSelect('w.url IS NULL', 'is_callback')
      .innerJoin('webhook_messages', 'm', 'm.id = d.message_id')
      .innerJoin('webhook_endpoints', 'w', 'w.id = d.endpoint_id')
      .where('d.user_id = :userId', { userId })
      .andWhere(`(${where})`, values)
      .orderBy({ 'd.createdAt': 'DESC', 'd.id': 'DESC' })
      .limit(limit)
      .getRawAndEntities<{ type: string; is_callback: boolean }>();
    return entities.map((entity, index) =>
      Object.assign(entity, { type: raw[index]?.type ?? '', isCallback: raw[index]?.is_callback ?? false }),
    );
  }
}
