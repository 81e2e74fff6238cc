import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { SECRET_MAIL_KINDS } from './mail-kinds.js';
import { MailMessageRepository } from './mail-message.repository.js';

/** Receipts are erased too: what tax law requires is in `payments`. */
@Injectable()
@HoldsPersonalData(['mail'])
export class MailPersonalData implements PersonalData<'mail'> {
  constructor(private readonly messages: MailMessageRepository) {}

  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await this.messages.transfer(manager, from, to);
  }

  async export(userId: string): Promise<Pick<ExportedData, 'mail'>> {
    const messages = await this.messages.listOwned(userId);
    return {
      mail: messages.map(({ kind, recipient, subject, body, createdAt, sentAt }) => ({
        kind,
        recipient,
        subject,
        text: kind === null || SECRET_MAIL_KINDS.has(kind) ? null : body,
        createdAt: createdAt.toISOString(),
        sentAt: sentAt?.toISOString() ?? null,
      })),
    };
  }

  eraseWithAccount(manager: EntityManager, userId: string): Promise<void> {
    return this.messages.erase(manager, userId);
  }
}
