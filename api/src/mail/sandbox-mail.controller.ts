import { type RouteInput, type SandboxMail, sandboxMailRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, IsNull, Not } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { MailMessage } from './mail-message.entity.js';
import { MailSeal } from './mail-seal.js';

/** Shows messages that were delivered into the folder. */
@Controller()
export class SandboxMailController {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly seal: MailSeal,
  ) {}

  @Route(sandboxMailRoutes.list)
  async list(
    @Input() { query }: RouteInput<typeof sandboxMailRoutes.list>,
  ): Promise<{ data: SandboxMail[]; hasMore: boolean }> {
    const sent = this.database.manager
      .createQueryBuilder(MailMessage, 'mail')
      .where('mail.sentAt IS NOT NULL')
      .orderBy('mail.sentAt', 'DESC')
      .addOrderBy('mail.createdAt', 'DESC')
      .addOrderBy('mail.id', 'DESC')
      .limit(query.limit + 1);
    if (query.to) sent.andWhere('mail.recipient = :to', query);
    if (query.startingAfter) {
      const { sentAt, createdAt, id } = await this.find(query.startingAfter);
      sent.andWhere('(mail.sentAt, mail.createdAt, mail.id) < (:sentAt, :createdAt, :id)', { sentAt, createdAt, id });
    }
    const rows = await sent.getMany();
    const data = await Promise.all(rows.slice(0, query.limit).map((row) => this.shown(row)));
    return { data, hasMore: rows.length > query.limit };
  }

  private async shown({
    id,
    recipient,
    subject,
    body,
    sealedBody,
    sentAt,
    createdAt,
  }: MailMessage): Promise<SandboxMail> {
    return {
      id,
      to: recipient,
      subject,
      text: sealedBody === null ? body : await this.seal.open(sealedBody, id),
      sentAt: (sentAt ?? createdAt).toISOString(),
    };
  }

  private async find(id: string): Promise<MailMessage> {
    const message = await this.database.manager.findOneBy(MailMessage, { id, sentAt: Not(IsNull()) });
    if (!message) throw new AppError('request.not_found');
    return message;
  }
}
