import { type RouteInput, type SupportTicket, supportRoutes } from '@clearframe/contract';
import type { Environment } from '@clearframe/runtime/config';
import { Controller, type DynamicModule, Module } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, MaybeCaller } from '../sessions/caller.js';
import { SupportDesk, UnconfiguredDesk } from './support-desk.js';
import { SupportPersonalData } from './support-personal-data.js';
import { SupportRequestsRepository } from './support-requests.repository.js';
import { SupportWork } from './support-work.js';
import { ZendeskConfig } from './zendesk.config.js';
import { ZendeskDesk } from './zendesk-desk.js';

@Controller()
class SupportController {
  constructor(
    private readonly requests: SupportRequestsRepository,
    private readonly desk: SupportDesk,
  ) {}

  @Route(supportRoutes.createSupportTicket)
  async create(
    @MaybeCaller() caller: Caller | undefined,
    @Input() { body }: RouteInput<typeof supportRoutes.createSupportTicket>,
  ): Promise<SupportTicket> {
    this.desk.requireConfigured();
    const ticketId = await this.requests.insert(body, caller ?? null);
    if (ticketId === null) throw new AppError('users.not_authorized');
    return { ticketId };
  }
}

@Module({})
export class SupportModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const config = ZendeskConfig.fromEnvironment(environment);
    return {
      module: SupportModule,
      controllers: [SupportController],
      providers: [
        { provide: SupportDesk, useFactory: () => (config ? new ZendeskDesk(config) : new UnconfiguredDesk()) },
        SupportRequestsRepository,
        SupportPersonalData,
        SupportWork,
      ],
    };
  }
}
