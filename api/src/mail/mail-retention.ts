import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { dueDeletions } from '../platform/schedule/pending-deletions.js';
import { type DueWork, SchedulesWork, type WorkSource } from '../platform/schedule/work.js';
import { MailFolder } from './mail-folder.js';
import { MailMessageRepository } from './mail-message.repository.js';

const GUEST_ADDRESS_DAYS = 30;
const CODE_DAYS = 1;

const schedule = {
  everyMs: inMilliseconds.minutes(10),
  timeoutMs: inMilliseconds.minutes(1),
  maxAttempts: 20,
  backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(6) },
};

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
      run: (id) => this.clear(id, () => this.messages.clearMessage(id)),
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
      run: (id) => this.clear(id, () => this.messages.clearSealedBody(id)),
    },
    {
      ...schedule,
      kind: 'mail.delete-files',
      everyMs: inMilliseconds.seconds(5),
      // About three months: erasure is complete only when the files are gone.
      maxAttempts: 400,
      due: () => dueDeletions('mail'),
      run: (id) => this.clear(id, () => this.messages.finishErasure(id)),
    },
  ];

  constructor(
    private readonly messages: MailMessageRepository,
    private readonly folder: MailFolder,
  ) {}

  /** The file first: if that fails, a retry finds the row. */
  private async clear(id: string, clearRow: () => Promise<void>): Promise<void> {
    await this.folder.remove([id]);
    await clearRow();
  }
}
