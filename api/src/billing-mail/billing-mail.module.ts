import { type ReceiptList, type RouteInput, receiptRoutes } from '@clearframe/contract';
import { Controller, Module } from '@nestjs/common';
import { DownloadsModule } from '../downloads/downloads.module.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { UsersModule } from '../users/users.module.js';
import { BillingMailRepository, ReceiptRepository } from './billing-mail.repository.js';
import { BillingMailer } from './billing-mailer.js';

@Controller()
class ReceiptsController {
  constructor(private readonly receipts: ReceiptRepository) {}

  @Route(receiptRoutes.listReceipts)
  list(
    @CurrentCaller() { userId }: Caller,
    @Input() { query }: RouteInput<typeof receiptRoutes.listReceipts>,
  ): Promise<ReceiptList> {
    return this.receipts.page(userId, query.limit, query.startingAfter ?? null);
  }
}

@Module({
  imports: [DownloadsModule, UsersModule],
  controllers: [ReceiptsController],
  providers: [BillingMailer, BillingMailRepository, ReceiptRepository],
  exports: [BillingMailer, ReceiptRepository],
})
export class BillingMailModule {}
