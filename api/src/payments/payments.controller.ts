import {
  type Checkout,
  type CreditBalance,
  checkoutRoutes,
  paymentRoutes,
  type RouteInput,
} from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { CardPaymentsService } from './card-payments.service.js';
import { CheckoutsService } from './checkouts.service.js';
import { WalletPaymentsService } from './wallet-payments.service.js';

@Controller()
export class CheckoutsController {
  constructor(private readonly checkouts: CheckoutsService) {}

  @Route(checkoutRoutes.createCheckout)
  create(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof checkoutRoutes.createCheckout>,
  ): Promise<Checkout> {
    return this.checkouts.create(caller, body);
  }
}

@Controller()
export class PaymentsController {
  constructor(
    private readonly cards: CardPaymentsService,
    private readonly wallet: WalletPaymentsService,
  ) {}

  @Route(paymentRoutes.createSetupIntent)
  createSetupIntent(
    @CurrentCaller() caller: Caller,
    // There is one set of keys, that of the region `DK`.
    @Input() _input: RouteInput<typeof paymentRoutes.createSetupIntent>,
  ): Promise<{ clientSecret: string }> {
    return this.cards.createSetupIntent(caller);
  }

  @Route(paymentRoutes.createPaymentIntent)
  createPaymentIntent(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof paymentRoutes.createPaymentIntent>,
  ): Promise<{ clientSecret: string; paymentId: string }> {
    return this.cards.createPaymentIntent(caller, body);
  }

  @Route(paymentRoutes.confirmPayment)
  confirmPayment(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof paymentRoutes.confirmPayment>,
  ): Promise<CreditBalance> {
    return this.cards.confirm(caller, params.paymentId);
  }

  @Route(paymentRoutes.recordCharge)
  recordCharge(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof paymentRoutes.recordCharge>,
  ): Promise<CreditBalance> {
    return this.wallet.recordCharge(caller, body);
  }
}
