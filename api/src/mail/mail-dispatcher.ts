import { inMilliseconds, languageTagOf } from '@clearframe/contract';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import nodemailer from 'nodemailer';
import { Seal } from '../platform/config/seal.js';
import { type DueWork, PermanentFailure, SchedulesWork, type WorkSource } from '../platform/schedule/work.js';
import { MailConfig } from './mail.config.js';
import { MailFolder } from './mail-folder.js';
import { type MailMessage, MailMessageRepository } from './mail-message.repository.js';
import { htmlContext } from './mailer.js';

const SERVER_TIMEOUT_MS = inMilliseconds.seconds(20);

/** Other permanent replies, to the login or the sender, concern the configuration: messages wait until it is fixed. */
function isRejected(error: object): boolean {
  const { command, responseCode } = error as { command?: string; responseCode?: number };
  return (command === 'RCPT TO' || command === 'DATA') && responseCode !== undefined && responseCode >= 500;
}

/** Delivers each message at least once, to a mail server or as a file. */
@SchedulesWork()
@Injectable()
export class MailDispatcher implements WorkSource, OnApplicationShutdown {
  readonly scheduledWork: readonly DueWork[] = [
    {
      kind: 'mail.deliver',
      everyMs: inMilliseconds.seconds(1),
      timeoutMs: inMilliseconds.minutes(1),
      concurrency: 4,
      // About five days, as long as mail servers retry.
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
    private readonly messages: MailMessageRepository,
    private readonly config: MailConfig,
    private readonly folder: MailFolder,
    private readonly seal: Seal,
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
    const message = await this.messages.findUnsent(id);
    if (!message) return;
    await this.send(message).catch((error: Error) => {
      throw isRejected(error) ? new PermanentFailure(error.message, { cause: error }) : error;
    });
    // Without a server the encrypted body marks the file for deletion (`MailRetention`).
    const changes = this.config.smtpUrl ? { html: null, sealedBody: null } : { html: null };
    // The account was deleted during delivery.
    if (!(await this.messages.markSent(id, changes))) await this.folder.remove([id]);
  }

  private async send(message: MailMessage): Promise<void> {
    const { id, recipient, subject, language } = message;
    const sent = await this.transport.sendMail({
      messageId: `<${id}@${this.config.domain}>`,
      from: this.config.from,
      to: recipient,
      subject,
      ...(await this.partsOf(message)),
      headers: {
        ...(language && { 'Content-Language': languageTagOf(language) }),
        // No replies from absent recipients (RFC 3834).
        'Auto-Submitted': 'auto-generated',
      },
    });
    if (!this.config.smtpUrl && 'message' in sent) await this.folder.write(id, sent.message as Buffer);
  }

  private async partsOf({ id, body, sealedBody, html }: MailMessage): Promise<{ text: string; html?: string }> {
    if (sealedBody === null) return { text: body, ...(html !== null && { html }) };
    return {
      text: await this.seal.open(sealedBody, id),
      ...(html !== null && { html: await this.seal.open(html, htmlContext(id)) }),
    };
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
