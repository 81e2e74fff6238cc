import { type GiftCodeRedeemed, giftCodeRoutes, type RouteInput } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { GiftCodesService } from './gift-codes.service.js';

@Controller()
export class GiftCodesController {
  constructor(private readonly giftCodes: GiftCodesService) {}

  @Route(giftCodeRoutes.redeemGiftCode)
  redeem(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof giftCodeRoutes.redeemGiftCode>,
  ): Promise<GiftCodeRedeemed> {
    return this.giftCodes.redeem(caller, body.code);
  }
}
