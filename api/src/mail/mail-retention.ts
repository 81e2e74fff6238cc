import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { forgetWork } from '../platform/schedule/stuck-work.js';
import { type DueWork, SchedulesWork, type WorkSource } from '../platform/schedule/work.js';
import { MailFolder } from './mail-folder.js';

/** A guest's address is used for the receipt and one link, which is valid this long (decisions, section 8). */
const GUEST_ADDRESS_DAYS = 30;
/** Codes are valid for an hour. */
const CODE_DAYS = 1;

const schedule = {
  everyMs: inMilliseconds.minutes(10),
  timeoutMs: inMilliseconds.minutes(1),
  maxAttempts: 20,
  backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(6) },
};

/** Deletes texts of messages that outlived the credentials in them, and addresses of guests. */
@SchedulesWork()
@Injectable()
export class MailRetention implements WorkSource {
  readonly scheduledWork: readonly DueWork[] = [
    {
      ...schedule,
      kind: 'retention.guest-mail',
      due: () => ({
        table: 'mail_messages',
        subject: 'id',
        where: `kind = 'pictureReceipt' AND recipient <> ''
          AND created_at < now() - interval '${GUEST_ADDRESS_DAYS} days'`,
        orderBy: 'created_at',
      }),
      run: (id) =>
        this.clear(
          id,
          `recipient = '', subject = '', body = '', sent_at = coalesce(sent_at, now()), sealed_body = NULL`,
        ),
    },
    {
      ...schedule,
      kind: 'retention.mail-codes',
      due: () => ({
        table: 'mail_messages',
        subject: 'id',
        where: `kind IN ('cancelCode', 'portalCode') AND sealed_body IS NOT NULL
          AND created_at < now() - interval '${CODE_DAYS} day'`,
        orderBy: 'created_at',
      }),
      run: (id) => this.clear(id, 'sent_at = coalesce(sent_at, now()), sealed_body = NULL'),
    },
  ];

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly folder: MailFolder,
  ) {}

  /** The file first: while the row is unchanged it is found again. */
  private async clear(id: string, changes: string): Promise<void> {
    await this.folder.remove([id]);
    await this.database.query(`UPDATE mail_messages SET ${changes} WHERE id = $1`, [id]);
    await forgetWork(this.database.manager, [id]);
  }
}
