import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { KeyUsage } from './key-usage.js';
import { UsageController } from './usage.controller.js';
import { UsageRepository } from './usage.repository.js';
import { UsageThresholds } from './usage-thresholds.js';

@Module({
  imports: [UsersModule, WebhookEndpointsModule],
  controllers: [UsageController],
  providers: [KeyUsage, UsageRepository, UsageThresholds],
  exports: [KeyUsage],
})
export class UsageModule {}
