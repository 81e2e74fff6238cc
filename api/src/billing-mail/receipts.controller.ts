import { type ReceiptList, type RouteInput, receiptRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { ReceiptRepository } from './billing-mail.repository.js';

@Controller()
export class ReceiptsController {
  constructor(private readonly receipts: ReceiptRepository) {}

  @Route(receiptRoutes.listReceipts)
  list(
    @CurrentCaller() { userId }: Caller,
    @Input() { query }: RouteInput<typeof receiptRoutes.listReceipts>,
  ): Promise<ReceiptList> {
    return this.receipts.page(userId, query.limit, query.startingAfter ?? null);
  }
}
