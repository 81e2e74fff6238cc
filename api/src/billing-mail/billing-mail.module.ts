import { Module } from '@nestjs/common';
import { DownloadsModule } from '../downloads/downloads.module.js';
import { UsersModule } from '../users/users.module.js';
import { BillingMailRepository, ReceiptRepository } from './billing-mail.repository.js';
import { BillingMailer } from './billing-mailer.js';
import { ReceiptsController } from './receipts.controller.js';

@Module({
  imports: [DownloadsModule, UsersModule],
  controllers: [ReceiptsController],
  providers: [BillingMailer, BillingMailRepository, ReceiptRepository],
  exports: [BillingMailer, ReceiptRepository],
})
export class BillingMailModule {}
