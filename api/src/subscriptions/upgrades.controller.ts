import { type RouteInput, type SubscriptionStarted, type UpgradePreview, upgradeRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { UpgradesService } from './upgrades.service.js';

type Routes = typeof upgradeRoutes;

@Controller()
export class UpgradesController {
  constructor(private readonly upgrades: UpgradesService) {}

  @Route(upgradeRoutes.upgradeByCard)
  upgradeByCard(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<Routes['upgradeByCard']>,
  ): Promise<SubscriptionStarted> {
    return this.upgrades.byCard(caller, body);
  }

  @Route(upgradeRoutes.upgradeByWallet)
  upgradeByWallet(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<Routes['upgradeByWallet']>,
  ): Promise<SubscriptionStarted> {
    return this.upgrades.byWallet(caller, body.newSubscriptionId);
  }

  @Route(upgradeRoutes.previewUpgrade)
  previewUpgrade(
    @CurrentCaller() caller: Caller,
    @Input() { params, query }: RouteInput<Routes['previewUpgrade']>,
  ): Promise<UpgradePreview> {
    return this.upgrades.preview(caller, params.provider, query.newPriceId);
  }
}
