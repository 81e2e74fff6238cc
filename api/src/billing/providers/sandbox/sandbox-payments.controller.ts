import {
  type RouteInput,
  type SandboxConfirmation,
  type SandboxEvent,
  sandboxPaymentRoutes,
} from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../../../platform/http/route.decorator.js';
import { SandboxHttpApi } from './http-api.js';

@Controller()
export class SandboxPaymentsController {
  constructor(private readonly api: SandboxHttpApi) {}

  @Route(sandboxPaymentRoutes.confirmSetupIntent)
  confirmSetup(
    @Input() { params, body }: RouteInput<typeof sandboxPaymentRoutes.confirmSetupIntent>,
  ): Promise<SandboxConfirmation> {
    return this.api.confirm('setup', params.intentId, body.cardNumber, body.returnUrl);
  }

  @Route(sandboxPaymentRoutes.confirmPaymentIntent)
  confirmPayment(
    @Input() { params, body }: RouteInput<typeof sandboxPaymentRoutes.confirmPaymentIntent>,
  ): Promise<SandboxConfirmation> {
    return this.api.confirm('payment', params.intentId, body.cardNumber, body.returnUrl);
  }

  @Route(sandboxPaymentRoutes.subscribeByWallet)
  async subscribeByWallet(
    @Input() { body }: RouteInput<typeof sandboxPaymentRoutes.subscribeByWallet>,
  ): Promise<{ subscriptionId: string }> {
    return { subscriptionId: await this.api.subscribeByWallet(body.planId, body.customId) };
  }

  @Route(sandboxPaymentRoutes.chargeWallet)
  async chargeWallet(
    @Input() { body }: RouteInput<typeof sandboxPaymentRoutes.chargeWallet>,
  ): Promise<{ chargeId: string }> {
    return { chargeId: await this.api.chargeWallet(body) };
  }

  @Route(sandboxPaymentRoutes.advanceClock)
  async advanceClock(
    @Input() { body }: RouteInput<typeof sandboxPaymentRoutes.advanceClock>,
  ): Promise<{ now: string }> {
    return { now: await this.api.advanceClock(body.advanceSeconds) };
  }

  @Route(sandboxPaymentRoutes.listEvents)
  listEvents(
    @Input() { query }: RouteInput<typeof sandboxPaymentRoutes.listEvents>,
  ): Promise<{ data: SandboxEvent[]; hasMore: boolean }> {
    return this.api.listEvents(query);
  }

  @Route(sandboxPaymentRoutes.replayEvent)
  async replayEvent(
    @Input() { body }: RouteInput<typeof sandboxPaymentRoutes.replayEvent>,
  ): Promise<{ statuses: number[] }> {
    return { statuses: await this.api.replay(body) };
  }
}
