import {
  type PastSubscriptions,
  type RouteInput,
  type SubscriptionInfo,
  type SubscriptionStarted,
  subscriptionRoutes,
  type UpgradePreview,
} from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { type Caller, CurrentCaller } from '../identity/caller.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { SubscribingService } from './subscribing.service.js';
import { SubscriptionCodesService } from './subscription-codes.service.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { UpgradesService } from './upgrades.service.js';

type Rows = typeof subscriptionRoutes;

@Controller()
export class SubscriptionsController {
  constructor(
    private readonly subscribing: SubscribingService,
    private readonly subscriptions: SubscriptionsService,
    private readonly upgrades: UpgradesService,
    private readonly codes: SubscriptionCodesService,
  ) {}

  @Route(subscriptionRoutes.subscribeByCard)
  subscribeByCard(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<Rows['subscribeByCard']>,
  ): Promise<SubscriptionStarted> {
    return this.subscribing.byCard(caller, body);
  }

  @Route(subscriptionRoutes.subscribeByWallet)
  subscribeByWallet(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<Rows['subscribeByWallet']>,
  ): Promise<SubscriptionStarted> {
    return this.subscribing.byWallet(caller, body);
  }

  @Route(subscriptionRoutes.listPastSubscriptions)
  listPastSubscriptions(
    @CurrentCaller() caller: Caller,
    @Input() { query }: RouteInput<Rows['listPastSubscriptions']>,
  ): Promise<PastSubscriptions> {
    return this.subscriptions.past(caller, query);
  }

  @Route(subscriptionRoutes.upgradeByCard)
  upgradeByCard(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<Rows['upgradeByCard']>,
  ): Promise<SubscriptionStarted> {
    return this.upgrades.byCard(caller, body);
  }

  @Route(subscriptionRoutes.upgradeByWallet)
  upgradeByWallet(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<Rows['upgradeByWallet']>,
  ): Promise<SubscriptionStarted> {
    return this.upgrades.byWallet(caller, body.newSubscriptionId);
  }

  @Route(subscriptionRoutes.previewUpgrade)
  previewUpgrade(
    @CurrentCaller() caller: Caller,
    @Input() { params, query }: RouteInput<Rows['previewUpgrade']>,
  ): Promise<UpgradePreview> {
    return this.upgrades.preview(caller, params.provider, query.newPriceId);
  }

  @Route(subscriptionRoutes.restartSubscription)
  restartSubscription(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<Rows['restartSubscription']>,
  ): Promise<SubscriptionInfo> {
    return this.subscriptions.restart(caller, params.provider);
  }

  @Route(subscriptionRoutes.getSubscription)
  getSubscription(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<Rows['getSubscription']>,
  ): Promise<SubscriptionInfo> {
    return this.subscriptions.get(caller, params.provider);
  }

  @Route(subscriptionRoutes.cancelSubscription)
  cancelSubscription(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<Rows['cancelSubscription']>,
  ): Promise<SubscriptionInfo> {
    return this.subscriptions.cancel(caller, params.provider);
  }

  @Route(subscriptionRoutes.cancelByEmail)
  cancelByEmail(@Input() { params, body }: RouteInput<Rows['cancelByEmail']>): Promise<SubscriptionInfo> {
    return this.codes.cancel(params.provider, body.cancellationCode);
  }

  @Route(subscriptionRoutes.migratePortal)
  migratePortal(@Input() { body }: RouteInput<Rows['migratePortal']>): Promise<{ portalSessionUrl: string }> {
    return this.codes.openPortal(body.cancellationCode, body.customerId);
  }

  @Route(subscriptionRoutes.mailSubscriptionCode)
  mailSubscriptionCode(@Input() { body }: RouteInput<Rows['mailSubscriptionCode']>): Promise<void> {
    return this.codes.mail(body);
  }
}
