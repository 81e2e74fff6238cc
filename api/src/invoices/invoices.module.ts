import { FALLBACK_LOCALE, type RouteInput, receiptRoutes } from '@clearframe/contract';
import type { Environment } from '@clearframe/runtime/config';
import { contentDispositionOf } from '@clearframe/runtime/storage';
import { Controller, type DynamicModule, Module, StreamableFile } from '@nestjs/common';
import { BillingMailModule } from '../billing-mail/billing-mail.module.js';
import { ReceiptRepository } from '../billing-mail/billing-mail.repository.js';
import { SellerConfig } from '../billing-mail/seller.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { UserRepository } from '../users/user.repository.js';
import { UsersModule } from '../users/users.module.js';
import { invoicePdf } from './invoice-pdf.js';

@Controller()
class InvoicesController {
  constructor(
    private readonly receipts: ReceiptRepository,
    private readonly users: UserRepository,
  ) {}

  @Route(receiptRoutes.downloadInvoice)
  async download(
    @CurrentCaller() { userId }: Caller,
    @Input() { params }: RouteInput<typeof receiptRoutes.downloadInvoice>,
  ): Promise<StreamableFile> {
    const [charge, user] = await Promise.all([this.receipts.chargeOf(userId, params.number), this.users.find(userId)]);
    if (!charge) throw new AppError('payments.not_found');
    const pdf = await invoicePdf(charge, user?.email ?? null, user?.language ?? FALLBACK_LOCALE);
    return new StreamableFile(pdf, {
      type: 'application/pdf',
      length: pdf.length,
      disposition: contentDispositionOf('attachment', `${charge.number}.pdf`),
    });
  }
}

@Module({})
export class InvoicesModule {
  static forEnvironment(environment: Environment): DynamicModule {
    return {
      module: InvoicesModule,
      global: true,
      imports: [BillingMailModule, UsersModule],
      controllers: [InvoicesController],
      providers: [{ provide: SellerConfig, useValue: SellerConfig.fromEnvironment(environment) }],
      exports: [SellerConfig],
    };
  }
}
