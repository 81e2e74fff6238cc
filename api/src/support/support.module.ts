import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module } from '@nestjs/common';
import { SupportController } from './support.controller.js';
import { SupportDesk, UnconfiguredDesk } from './support-desk.js';
import { SupportPersonalData } from './support-personal-data.js';
import { SupportRequestsRepository } from './support-requests.repository.js';
import { SupportWork } from './support-work.js';
import { ZendeskConfig } from './zendesk.config.js';
import { ZendeskDesk } from './zendesk-desk.js';

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
