import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In } from 'typeorm';
import { forgetWork } from '../platform/schedule/stuck-work.js';
import type { ExportedData, PersonalData } from '../users/personal-data.js';
import { HoldsPersonalData } from '../users/personal-data.js';
import { MailFolder } from './mail-folder.js';
import { MailMessage } from './mail-message.entity.js';
import { SECRET_MAIL_KINDS } from './mail-texts.js';

const PROVEN_ADDRESS = '(SELECT lower(email) FROM users WHERE id = $1 AND email_verified)';
/** Messages of a user, and messages without an owner that went to the address that the user has proven. */
const OWNED = `user_id = $1 OR (user_id IS NULL AND lower(recipient) = ${PROVEN_ADDRESS})`;
/** Erasure also covers what guests had sent to that address. */
const ERASED = `user_id = $1 OR lower(recipient) = ${PROVEN_ADDRESS}`;

/** Exports and erases the mail written to a user. Receipts go too: what tax law needs is in `payments`. */
@Injectable()
@HoldsPersonalData(['mail'])
export class MailPersonalData implements PersonalData<'mail'> {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly folder: MailFolder,
  ) {}

  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await manager.query('UPDATE mail_messages SET user_id = $2 WHERE user_id = $1', [from, to]);
  }

  async export(userId: string): Promise<Pick<ExportedData, 'mail'>> {
    const { manager } = this.database;
    const owned: { id: string }[] = await manager.query(`SELECT id FROM mail_messages WHERE ${OWNED}`, [userId]);
    const messages = await manager.find(MailMessage, {
      where: { id: In(owned.map(({ id }) => id)) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
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

  /** Messages can be written until the account is gone: they go with it. */
  async erase(): Promise<void> {}

  /** Files first: without them the rows are found again. A message that is being delivered removes its own file. */
  async eraseWithAccount(manager: EntityManager, userId: string): Promise<void> {
    const owned: { id: string }[] = await manager.query(`SELECT id FROM mail_messages WHERE ${ERASED} FOR UPDATE`, [
      userId,
    ]);
    const ids = owned.map(({ id }) => id);
    await this.folder.remove(ids);
    await manager.query('DELETE FROM mail_messages WHERE id = ANY ($1)', [ids]);
    await forgetWork(manager, ids);
  }
}
