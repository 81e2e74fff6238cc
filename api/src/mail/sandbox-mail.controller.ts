import { type RouteInput, type SandboxMail, sandboxMailRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { SandboxClient } from '../platform/sandbox/sandbox-client.js';

export const MAIL_PATH = '/api/sandbox/mail';

@Controller()
export class SandboxMailController {
  constructor(private readonly sandbox: SandboxClient) {}

  @Route(sandboxMailRoutes.list)
  list(
    @Input() { query: { to, limit, startingAfter } }: RouteInput<typeof sandboxMailRoutes.list>,
  ): Promise<{ data: SandboxMail[]; hasMore: boolean }> {
    const query = new URLSearchParams({
      limit: String(limit),
      ...(to !== undefined && { to }),
      ...(startingAfter !== undefined && { starting_after: startingAfter }),
    });
    return this.sandbox.call(`${MAIL_PATH}?${query}`, sandboxMailRoutes.list.responses[200]);
  }
}
