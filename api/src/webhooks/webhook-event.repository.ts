import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { ProviderEvent } from '../providers/payment-provider.js';
import { WebhookEventRow } from './webhook-event.entity.js';

@Injectable()
export class WebhookEventRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async insert(sender: string, { id, type, subject }: ProviderEvent): Promise<boolean> {
    const inserted: unknown[] = await this.database.query(
      `INSERT INTO webhook_events (sender, event_id, type, provider, subject_kind, subject_id, received_at)
       VALUES ($1, $2, $3, $4, $5, $6, now()) ON CONFLICT DO NOTHING RETURNING event_id`,
      [sender, id, type, subject?.provider ?? null, subject?.kind ?? null, subject?.id ?? null],
    );
    return inserted.length === 1;
  }

  find(sender: string, eventId: string): Promise<WebhookEventRow | null> {
    return this.database.manager.findOneBy(WebhookEventRow, { sender, eventId });
  }

  async markProcessed(sender: string, eventId: string): Promise<void> {
    await this.database.manager.update(WebhookEventRow, { sender, eventId }, { processedAt: new Date() });
  }

  async purge(age: string): Promise<void> {
    await this.database.query('DELETE FROM webhook_events WHERE received_at < now() - $1::interval', [age]);
  }
}
