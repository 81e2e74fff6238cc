import { randomUUID } from 'node:crypto';
import type { Locale } from '@clearframe/contract';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Seal } from '../platform/crypto/seal.js';
import { MailMessageRepository } from './mail-message.repository.js';
import { type MailKind, MailTexts, SECRET_MAIL_KINDS } from './mail-texts.js';

/** A message to be sent. */
export interface OutgoingMail {
  /** Messages with the same key are sent once. */
  readonly key: string;
  /** The account or guest it is about, whose data export and erasure include it; null when there is none. */
  readonly userId: string | null;
  readonly to: string;
  readonly kind: MailKind;
  /** One of the product's languages; English where it is not known. */
  readonly language?: Locale | null;
  /** Values of the message's placeholders. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** Stores messages in the caller's transaction; they are sent after the commit, at least once. */
@Injectable()
export class Mailer {
  constructor(
    private readonly messages: MailMessageRepository,
    private readonly texts: MailTexts,
    /** Null in operator commands, which have no key and send no credentials. */
    @Inject(Seal) private readonly seal: Seal | null,
  ) {}

  /** Drops a message to an erased account. */
  async send(manager: EntityManager, { key, userId, to, kind, language, values }: OutgoingMail): Promise<void> {
    const { subject, body } = this.texts.write(kind, language ?? null, values);
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
