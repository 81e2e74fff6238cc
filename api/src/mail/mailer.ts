import { randomUUID } from 'node:crypto';
import type { Locale } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MailMessage } from './mail-message.entity.js';
import { type MailKind, MailTexts } from './mail-texts.js';

/** A message to somebody. */
export interface Letter {
  /** The same message under the same key is sent once, however often it is asked for. */
  readonly key: string;
  /** The account or guest it is about, whose data export and erasure include it; null when there is none. */
  readonly userId: string | null;
  readonly to: string;
  readonly kind: MailKind;
  /** One of the product's languages; English where it is not known. */
  readonly language?: Locale | null;
  /** What the message's placeholders stand for. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** Writes messages down in the transaction that decides on them; they are sent after it, at least once. */
@Injectable()
export class Mailer {
  constructor(private readonly texts: MailTexts) {}

  /** A message about an account that has been erased meanwhile is dropped; the row lock makes erasing wait for it. */
  async send(manager: EntityManager, { key, userId, to, kind, language, values }: Letter): Promise<void> {
    const { subject, body } = this.texts.write(kind, language ?? null, values);
    if (userId) {
      const owner: unknown[] = await manager.query('SELECT id FROM users WHERE id = $1 FOR KEY SHARE', [userId]);
      if (owner.length === 0) return;
    }
    const now = new Date();
    await manager
      .createQueryBuilder()
      .insert()
      .into(MailMessage)
      .values({
        id: randomUUID(),
        idempotencyKey: key,
        userId,
        kind,
        recipient: to,
        subject,
        body,
        attempts: 0,
        nextAttemptAt: now,
        sentAt: null,
        createdAt: now,
      })
      .orIgnore()
      .execute();
  }
}
