import { randomUUID } from 'node:crypto';
import { FALLBACK_LOCALE, type Locale } from '@clearframe/contract';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Seal } from '../platform/config/seal.js';
import { holdUser } from '../platform/database/statements.js';
import { MailComposer, type MailValues } from './mail-composer.js';
import { type MailKind, SECRET_MAIL_KINDS } from './mail-kinds.js';
import { type MailMessage, MailMessageRepository } from './mail-message.repository.js';

export interface OutgoingMail {
  readonly key: string;
  readonly userId: string | null;
  readonly to: string;
  readonly kind: MailKind;
  readonly language?: Locale | null;
  readonly values: MailValues;
}

/** Context in which the HTML of a message with a credential is encrypted. */
export const htmlContext = (id: string): string => `${id} html`;

@Injectable()
export class Mailer {
  constructor(
    private readonly messages: MailMessageRepository,
    private readonly composer: MailComposer,
    /** Null in operator commands, which have no key and send no credentials. */
    @Inject(Seal) private readonly seal: Seal | null,
  ) {}

  /** Does nothing for an erased account. */
  async send(manager: EntityManager, { key, userId, to, kind, language, values }: OutgoingMail): Promise<void> {
    const { subject, text, html } = this.composer.compose(kind, language ?? null, values);
    if (userId && !(await holdUser(manager, userId))) return;
    const id = randomUUID();
    const parts = SECRET_MAIL_KINDS.has(kind)
      ? await this.sealed(id, text, html)
      : { body: text, sealedBody: null, html };
    const now = new Date();
    await this.messages.insert(manager, {
      id,
      idempotencyKey: key,
      userId,
      kind,
      language: language ?? FALLBACK_LOCALE,
      recipient: to,
      subject,
      ...parts,
      nextAttemptAt: now,
      sentAt: null,
      createdAt: now,
    });
  }

  private async sealed(
    id: string,
    text: string,
    html: string,
  ): Promise<Pick<MailMessage, 'body' | 'sealedBody' | 'html'>> {
    if (!this.seal) throw new Error('a message with a credential needs a key');
    return { body: '', sealedBody: await this.seal.seal(text, id), html: await this.seal.seal(html, htmlContext(id)) };
  }
}
