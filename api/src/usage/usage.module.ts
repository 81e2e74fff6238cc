import { Module } from '@nestjs/common';
import { KeyUsage } from './key-usage.js';
import { UsageRepository } from './usage.repository.js';

@Module({ providers: [KeyUsage, UsageRepository], exports: [KeyUsage] })
export class UsageModule {}
