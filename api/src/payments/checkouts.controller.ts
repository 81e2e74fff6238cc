import { type Checkout, checkoutRoutes, type RouteInput } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { CheckoutsService } from './checkouts.service.js';

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
