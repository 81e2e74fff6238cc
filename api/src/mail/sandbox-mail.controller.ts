import { type RouteInput, type SandboxMail, sandboxMailRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Seal } from '../platform/crypto/seal.js';
import { AppError } from '../platform/errors/app-error.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import type { MailMessage } from './mail-message.entity.js';
import { MailMessageRepository } from './mail-message.repository.js';

/** Messages delivered into the folder. */
@Controller()
export class SandboxMailController {
  constructor(
    private readonly messages: MailMessageRepository,
    private readonly seal: Seal,
  ) {}

  @Route(sandboxMailRoutes.list)
  async list(
    @Input() { query }: RouteInput<typeof sandboxMailRoutes.list>,
  ): Promise<{ data: SandboxMail[]; hasMore: boolean }> {
    const after = query.startingAfter ? await this.find(query.startingAfter) : null;
    const rows = await this.messages.listSent({ ...query, limit: query.limit + 1 }, after);
    const data = await Promise.all(rows.slice(0, query.limit).map((row) => this.present(row)));
    return { data, hasMore: rows.length > query.limit };
  }

  private async present({
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
    const message = await this.messages.findSent(id);
    if (!message) throw new AppError('request.not_found');
    return message;
  }
}
