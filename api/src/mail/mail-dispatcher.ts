import { inMilliseconds } from '@clearframe/contract';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import nodemailer from 'nodemailer';
import { DataSource, IsNull } from 'typeorm';
import { type DueWork, SchedulesWork, type WorkSource } from '../platform/schedule/work.js';
import { MailConfig } from './mail.config.js';
import { MailFolder } from './mail-folder.js';
import { MailMessage } from './mail-message.entity.js';
import { MailSeal } from './mail-seal.js';

const SERVER_TIMEOUT_MS = inMilliseconds.seconds(20);

/** Delivers messages to a mail server, or as files into a folder. At least once each. */
@SchedulesWork()
@Injectable()
export class MailDispatcher implements WorkSource, OnApplicationShutdown {
  readonly scheduledWork: readonly DueWork[] = [
    {
      kind: 'mail.deliver',
      everyMs: inMilliseconds.seconds(1),
      timeoutMs: inMilliseconds.minutes(1),
      concurrency: 4,
      // About five days, as long as mail servers themselves keep trying.
      maxAttempts: 16,
      backoff: { firstMs: inMilliseconds.seconds(15), maxMs: inMilliseconds.days(1) },
      due: () => ({
        table: 'mail_messages',
        subject: 'id',
        where: 'sent_at IS NULL AND next_attempt_at <= now()',
        orderBy: 'next_attempt_at',
      }),
      run: (id) => this.deliver(id),
    },
  ];
  private readonly transport;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly config: MailConfig,
    private readonly folder: MailFolder,
    private readonly seal: MailSeal,
  ) {
    const timeouts = {
      connectionTimeout: SERVER_TIMEOUT_MS,
      greetingTimeout: SERVER_TIMEOUT_MS,
      socketTimeout: SERVER_TIMEOUT_MS,
    };
    this.transport = config.smtpUrl
      ? nodemailer.createTransport({ url: config.smtpUrl, ...timeouts })
      : nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  }

  private async deliver(id: string): Promise<void> {
    const message = await this.database.manager.findOneBy(MailMessage, { id, sentAt: IsNull() });
    if (!message) return;
    await this.post(message);
    // The mail page of the sandbox shows what is in the folder, codes included.
    const kept = this.config.smtpUrl ? { sealedBody: null } : {};
    const { affected } = await this.database.manager.update(MailMessage, { id }, { sentAt: new Date(), ...kept });
    // Erased with its account during delivery.
    if (affected === 0) await this.folder.remove([id]);
  }

  private async post({ id, recipient, subject, body, sealedBody }: MailMessage): Promise<void> {
    const sent = await this.transport.sendMail({
      messageId: `<${id}@clearframe>`,
      from: this.config.from,
      to: recipient,
      subject,
      text: sealedBody === null ? body : await this.seal.open(sealedBody, id),
    });
    if (!this.config.smtpUrl && 'message' in sent) await this.folder.write(id, sent.message as Buffer);
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
