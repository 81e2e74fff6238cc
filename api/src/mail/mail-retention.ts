import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { MailFolder } from './mail-folder.js';

/** A guest's address is used for the receipt and one link, which is good this long (decisions, section 8). */
const GUEST_ADDRESS_DAYS = 30;

/** Deletes the addresses and texts of messages to guests once their link has ended. That they were sent stays known. */
@Injectable()
export class MailRetention {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly folder: MailFolder,
  ) {}

  async purge(): Promise<void> {
    await this.database.transaction(async (manager) => {
      const due: { id: string }[] = await manager.query(
        `SELECT id FROM mail_messages WHERE kind = 'pictureReceipt' AND recipient <> ''
           AND created_at < now() - make_interval(days => $1) FOR UPDATE SKIP LOCKED`,
        [GUEST_ADDRESS_DAYS],
      );
      const ids = due.map(({ id }) => id);
      await this.folder.remove(ids);
      await manager.query(
        `UPDATE mail_messages SET recipient = '', subject = '', body = '', sent_at = coalesce(sent_at, now())
         WHERE id = ANY ($1)`,
        [ids],
      );
    });
  }
}
