import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import nodemailer from 'nodemailer';
import { DataSource, type EntityManager, In } from 'typeorm';
import { MailConfig } from './mail.config.js';
import { MailFolder } from './mail-folder.js';
import { MailMessage } from './mail-message.entity.js';
import { SECRET_MAIL_KINDS } from './mail-texts.js';

const EVERY_MS = inMilliseconds.seconds(1);
const BATCH = 20;
/** Wait before attempt n+1: 2^n of these, at most a day. */
const BACKOFF_MS = inMilliseconds.seconds(15);
const LONGEST_WAIT_MS = inMilliseconds.days(1);

/** Sends what was written: to a server, or as files into a folder. At least once each, until it has worked. */
@Injectable()
export class PostOffice implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(PostOffice.name);
  private readonly transport;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly config: MailConfig,
    private readonly folder: MailFolder,
  ) {
    this.transport = config.smtpUrl
      ? nodemailer.createTransport(config.smtpUrl)
      : nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  }

  onApplicationBootstrap(): void {
    const next = (): void => {
      this.timer = setTimeout(() => {
        this.running = this.run()
          .catch((error: Error) => this.logger.warn(`mail: ${error.message}`))
          .finally(next);
      }, EVERY_MS);
    };
    next();
  }

  /** One pass over what is due. */
  async run(): Promise<void> {
    while ((await this.sendBatch()) === BATCH);
  }

  /** Several processes may send at once: each takes messages that no other holds. */
  private sendBatch(): Promise<number> {
    return this.database.transaction(async (manager) => {
      const rows: { id: string }[] = await manager.query(
        `SELECT id FROM mail_messages WHERE sent_at IS NULL AND next_attempt_at <= now()
         ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED`,
        [BATCH],
      );
      const due = await manager.findBy(MailMessage, { id: In(rows.map(({ id }) => id)) });
      for (const message of due) await this.deliver(manager, message);
      return due.length;
    });
  }

  private async deliver(manager: EntityManager, message: MailMessage): Promise<void> {
    const attempts = message.attempts + 1;
    try {
      await this.post(message);
      const isSecret = message.kind !== null && SECRET_MAIL_KINDS.has(message.kind);
      // The sandbox's mail page goes on showing what is in the folder.
      const kept = isSecret && this.config.smtpUrl ? { body: '' } : {};
      await manager.update(MailMessage, message.id, { attempts, sentAt: new Date(), ...kept });
    } catch (error) {
      const wait = Math.min(BACKOFF_MS * 2 ** message.attempts, LONGEST_WAIT_MS);
      await manager.update(MailMessage, message.id, { attempts, nextAttemptAt: new Date(Date.now() + wait) });
      this.logger.warn({ mailId: message.id, attempts, reason: String(error) }, 'a message could not be sent');
    }
  }

  private async post({ id, recipient, subject, body }: MailMessage): Promise<void> {
    const sent = await this.transport.sendMail({
      messageId: `<${id}@clearframe>`,
      from: this.config.from,
      to: recipient,
      subject,
      text: body,
    });
    if (!this.config.smtpUrl && 'message' in sent) await this.folder.write(id, sent.message as Buffer);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
    clearTimeout(this.timer);
    this.transport.close();
  }
}
