import {
  type OpenSubscriptions,
  type PastSubscriptions,
  type RouteInput,
  type SubscriptionInfo,
  type SubscriptionStarted,
  subscriptionRoutes,
  type UpgradePreview,
  upgradeRoutes,
} from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { CardSubscriptionsService } from './card-subscriptions.service.js';
import { PlanChanges } from './plan-changes.js';
import { SubscriptionCodesService } from './subscription-codes.service.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { UpgradesService } from './upgrades.service.js';
import { WalletSubscriptionsService } from './wallet-subscriptions.service.js';

@Controller()
export class UpgradesController {
  constructor(
    private readonly upgrades: UpgradesService,
    private readonly changes: PlanChanges,
  ) {}

  @Route(upgradeRoutes.upgradeByCard)
  upgradeByCard(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof upgradeRoutes.upgradeByCard>,
  ): Promise<SubscriptionStarted> {
    return this.upgrades.byCard(caller, body);
  }

  @Route(upgradeRoutes.upgradeByWallet)
  upgradeByWallet(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof upgradeRoutes.upgradeByWallet>,
  ): Promise<SubscriptionStarted> {
    return this.upgrades.byWallet(caller, body.newSubscriptionId);
  }

  @Route(upgradeRoutes.previewUpgrade)
  previewUpgrade(
    @CurrentCaller() caller: Caller,
    @Input() { params, query }: RouteInput<typeof upgradeRoutes.previewUpgrade>,
  ): Promise<UpgradePreview> {
    return this.changes.preview(caller, params.provider, query.newPriceId);
  }
}

@Controller()
export class SubscriptionsController {
  constructor(
    private readonly byCard: CardSubscriptionsService,
    private readonly byWallet: WalletSubscriptionsService,
    private readonly subscriptions: SubscriptionsService,
    private readonly codes: SubscriptionCodesService,
  ) {}

  @Route(subscriptionRoutes.subscribeByCard)
  subscribeByCard(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof subscriptionRoutes.subscribeByCard>,
  ): Promise<SubscriptionStarted> {
    return this.byCard.subscribe(caller, body);
  }

  @Route(subscriptionRoutes.subscribeByWallet)
  subscribeByWallet(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof subscriptionRoutes.subscribeByWallet>,
  ): Promise<SubscriptionStarted> {
    return this.byWallet.subscribe(caller, body);
  }

  @Route(subscriptionRoutes.listPastSubscriptions)
  listPastSubscriptions(
    @CurrentCaller() caller: Caller,
    @Input() { query }: RouteInput<typeof subscriptionRoutes.listPastSubscriptions>,
  ): Promise<PastSubscriptions> {
    return this.subscriptions.past(caller, query);
  }

  @Route(subscriptionRoutes.restartSubscription)
  restartSubscription(
    @CurrentCaller() caller: Caller,
    @Input() { params, query }: RouteInput<typeof subscriptionRoutes.restartSubscription>,
  ): Promise<SubscriptionInfo> {
    return this.subscriptions.restart(caller, params.provider, query.subscriptionId);
  }

  @Route(subscriptionRoutes.listOpenSubscriptions)
  listOpenSubscriptions(@CurrentCaller() caller: Caller): Promise<OpenSubscriptions> {
    return this.subscriptions.open(caller);
  }

  @Route(subscriptionRoutes.getSubscription)
  getSubscription(
    @CurrentCaller() caller: Caller,
    @Input() { params, query }: RouteInput<typeof subscriptionRoutes.getSubscription>,
  ): Promise<SubscriptionInfo> {
    return this.subscriptions.get(caller, params.provider, query.subscriptionId);
  }

  @Route(subscriptionRoutes.cancelSubscription)
  cancelSubscription(
    @CurrentCaller() caller: Caller,
    @Input() { params, query }: RouteInput<typeof subscriptionRoutes.cancelSubscription>,
  ): Promise<SubscriptionInfo> {
    return this.subscriptions.cancel(caller, params.provider, query.subscriptionId);
  }

  @Route(subscriptionRoutes.cancelByEmail)
  cancelByEmail(
    @Input() { params, body }: RouteInput<typeof subscriptionRoutes.cancelByEmail>,
  ): Promise<SubscriptionInfo> {
    return this.codes.cancel(params.provider, body.cancellationCode);
  }

  @Route(subscriptionRoutes.createPortalSession)
  migratePortal(
    @Input() { body }: RouteInput<typeof subscriptionRoutes.createPortalSession>,
  ): Promise<{ portalSessionUrl: string }> {
    return this.codes.openPortal(body.cancellationCode, body.customerId);
  }

  @Route(subscriptionRoutes.mailSubscriptionCode)
  mailSubscriptionCode(@Input() { body }: RouteInput<typeof subscriptionRoutes.mailSubscriptionCode>): Promise<void> {
    return this.codes.send(body);
  }
}
