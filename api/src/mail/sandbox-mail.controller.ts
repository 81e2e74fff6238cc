import { type RouteInput, type SandboxMail, sandboxMailRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, IsNull, Not } from 'typeorm';
import { Input, Route } from '../platform/http/route.decorator.js';
import { MailMessage } from './mail-message.entity.js';

/** Shows what went into the folder. */
@Controller()
export class SandboxMailController {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  @Route(sandboxMailRoutes.list)
  async list(
    @Input() { query }: RouteInput<typeof sandboxMailRoutes.list>,
  ): Promise<{ data: SandboxMail[]; hasMore: boolean }> {
    const rows = await this.database.manager.find(MailMessage, {
      where: { sentAt: Not(IsNull()), ...(query.to ? { recipient: query.to } : {}) },
      order: { sentAt: 'DESC', createdAt: 'DESC' },
      take: query.limit + 1,
    });
    const data = rows.slice(0, query.limit).map(({ id, recipient, subject, body, sentAt, createdAt }) => ({
      id,
      to: recipient,
      subject,
      text: body,
      sentAt: (sentAt ?? createdAt).toISOString(),
    }));
    return { data, hasMore: rows.length > query.limit };
  }
}
