import { type GiftCodeRedeemed, giftCodeRoutes, type RouteInput } from '@clearframe/contract';
import { Controller, Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { GiftCode, GiftCodeRepository } from './gift-codes.repository.js';
import { GiftCodesService } from './gift-codes.service.js';

@Controller()
class GiftCodesController {
  constructor(private readonly giftCodes: GiftCodesService) {}

  @Route(giftCodeRoutes.redeemGiftCode)
  redeem(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof giftCodeRoutes.redeemGiftCode>,
  ): Promise<GiftCodeRedeemed> {
    return this.giftCodes.redeem(caller, body.code);
  }
}

@Injectable()
@HoldsPersonalData([])
class GiftCodesPersonalData implements PersonalData<never> {
  constructor(private readonly codes: GiftCodeRepository) {}

  /** A guest who used a code can't use it again after logging in. */
  move(manager: EntityManager, from: string, to: string): Promise<void> {
    return this.codes.moveUses(manager, from, to);
  }

  async export(): Promise<Record<string, never>> {
    return {};
  }

  /** Does not reset the code's use count. */
  erase(userId: string): Promise<void> {
    return this.codes.deleteUsesOf(userId);
  }
}

@Module({
  imports: [BillingAccountsModule, TypeOrmModule.forFeature([GiftCode])],
  controllers: [GiftCodesController],
  providers: [GiftCodeRepository, GiftCodesPersonalData, GiftCodesService],
})
export class GiftCodesModule {}
