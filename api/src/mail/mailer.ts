import { randomUUID } from 'node:crypto';
import type { Locale } from '@clearframe/contract';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Seal } from '../platform/crypto/seal.js';
import { MailMessageRepository } from './mail-message.repository.js';
import { type MailKind, MailTexts, SECRET_MAIL_KINDS } from './mail-texts.js';

export interface OutgoingMail {
  /** Messages with the same key are sent once. */
  readonly key: string;
  /** Account or guest whose data export and erasure include the message; null for none. */
  readonly userId: string | null;
  readonly to: string;
  readonly kind: MailKind;
  /** English when null. */
  readonly language?: Locale | null;
  /** Values of placeholders. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** Stores messages in the caller's transaction; they are sent after the commit. */
@Injectable()
export class Mailer {
  constructor(
    private readonly messages: MailMessageRepository,
    private readonly texts: MailTexts,
    /** Null in operator commands, which have no key and send no credentials. */
    @Inject(Seal) private readonly seal: Seal | null,
  ) {}

  /** Does nothing for an erased account. */
  async send(manager: EntityManager, { key, userId, to, kind, language, values }: OutgoingMail): Promise<void> {
    const { subject, body } = this.texts.render(kind, language ?? null, values);
    if (userId && !(await this.messages.lockOwner(manager, userId))) return;
    const id = randomUUID();
    const stored = SECRET_MAIL_KINDS.has(kind)
      ? { body: '', sealedBody: await this.sealed(body, id) }
      : { body, sealedBody: null };
    const now = new Date();
    await this.messages.insert(manager, {
      id,
      idempotencyKey: key,
      userId,
      kind,
      recipient: to,
      subject,
      ...stored,
      nextAttemptAt: now,
      sentAt: null,
      createdAt: now,
    });
  }

  private sealed(body: string, id: string): Promise<string> {
    if (!this.seal) throw new Error('a message with a credential needs a key');
    return this.seal.seal(body, id);
  }
}
