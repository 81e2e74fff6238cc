import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module.js';
import { MailConfig } from './mail.config.js';
import { MailComposer } from './mail-composer.js';
import { MailDispatcher } from './mail-dispatcher.js';
import { MailFolder } from './mail-folder.js';
import { MailTexts } from './mail-kinds.js';
import { MailMessage, MailMessageRepository } from './mail-message.repository.js';
import { MailPersonalData } from './mail-personal-data.js';
import { MailRetention } from './mail-retention.js';
import { Mailer } from './mailer.js';

@Module({})
export class MailModule {
  static forEnvironment(environment: Environment): DynamicModule {
    const config = MailConfig.fromEnvironment(environment);
    return {
      module: MailModule,
      global: true,
      imports: [TypeOrmModule.forFeature([MailMessage]), UsersModule],
      providers: [
        { provide: MailConfig, useValue: config },
        MailTexts,
        MailComposer,
        Mailer,
        MailDispatcher,
        MailFolder,
        MailMessageRepository,
        MailPersonalData,
        MailRetention,
      ],
      exports: [Mailer],
    };
  }
}
