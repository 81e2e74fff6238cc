import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module } from '@nestjs/common';
import { sandboxUrlIn } from '../platform/sandbox/sandbox.config.js';
import { SupportController } from './support.controller.js';
import { SupportDesk, UnconfiguredDesk } from './support-desk.js';
import { SupportPersonalData } from './support-personal-data.js';
import { SupportRequestsRepository } from './support-requests.repository.js';
import { SupportWork } from './support-work.js';
import { ZendeskConfig } from './zendesk.config.js';
import { ZendeskDesk } from './zendesk-desk.js';

@Module({})
export class SupportModule {
  /** Production loads nothing of the sandbox. */
  static async forEnvironment(environment: Environment): Promise<DynamicModule> {
    const config = ZendeskConfig.fromEnvironment(environment);
    const sandboxUrl = sandboxUrlIn(environment);
    const sandbox = sandboxUrl === null ? null : await import('./sandbox-tickets.module.js');
    return {
      module: SupportModule,
      imports: sandbox && sandboxUrl ? [sandbox.SandboxTicketsModule.at(sandboxUrl)] : [],
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
