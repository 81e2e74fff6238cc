import { type RouteInput, type SupportTicket, supportRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, MaybeCaller } from '../sessions/caller.js';
import { SupportDesk } from './support-desk.js';
import { SupportRequestsRepository } from './support-requests.repository.js';

@Controller()
export class SupportController {
  constructor(
    private readonly requests: SupportRequestsRepository,
    private readonly desk: SupportDesk,
  ) {}

  @Route(supportRoutes.createTicket)
  async create(
    @MaybeCaller() caller: Caller | undefined,
    @Input() { body }: RouteInput<typeof supportRoutes.createTicket>,
  ): Promise<SupportTicket> {
    this.desk.requireConfigured();
    const ticketId = await this.requests.insert(body, caller ?? null);
    if (ticketId === null) throw new AppError('users.not_authorized');
    return { ticketId };
  }
}
