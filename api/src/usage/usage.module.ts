import { Module } from '@nestjs/common';
import { KeyUsage } from './key-usage.js';
import { UsageController } from './usage.controller.js';
import { UsageRepository } from './usage.repository.js';

@Module({ controllers: [UsageController], providers: [KeyUsage, UsageRepository], exports: [KeyUsage] })
export class UsageModule {}
