import { type CreditBalance, paymentRoutes, type RouteInput } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { type Caller, CurrentCaller } from '../../identity/caller/caller.js';
import { Input, Route } from '../../platform/http/route.decorator.js';
import { PurchasesService } from './purchases.service.js';

@Controller()
export class PaymentsController {
  constructor(private readonly purchases: PurchasesService) {}

  @Route(paymentRoutes.createSetupIntent)
  createSetupIntent(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof paymentRoutes.createSetupIntent>,
  ): Promise<{ clientSecret: string }> {
    return this.purchases.createSetupIntent(caller, body.stripeAccount);
  }

  @Route(paymentRoutes.createPaymentIntent)
  createPaymentIntent(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof paymentRoutes.createPaymentIntent>,
  ): Promise<{ clientSecret: string; paymentId: string }> {
    return this.purchases.createPaymentIntent(caller, body);
  }

  @Route(paymentRoutes.confirmPayment)
  confirmPayment(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof paymentRoutes.confirmPayment>,
  ): Promise<CreditBalance> {
    return this.purchases.confirm(caller, params.paymentId);
  }

  @Route(paymentRoutes.recordCharge)
  recordCharge(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof paymentRoutes.recordCharge>,
  ): Promise<CreditBalance> {
    return this.purchases.recordCharge(caller, body);
  }
}
