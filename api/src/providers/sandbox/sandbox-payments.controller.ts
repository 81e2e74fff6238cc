import { type RouteInput, SandboxConfirmation, type SandboxEvent, sandboxPaymentRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../../platform/http/route.decorator.js';
import { SandboxServer } from './sandbox-server.js';

const routes = sandboxPaymentRoutes;

@Controller()
export class SandboxPaymentsController {
  constructor(private readonly server: SandboxServer) {}

  @Route(routes.confirmSetupIntent)
  confirmSetup(@Input() { params, body }: RouteInput<typeof routes.confirmSetupIntent>): Promise<SandboxConfirmation> {
    return this.confirm('setup_intents', params.intentId, body);
  }

  @Route(routes.confirmPaymentIntent)
  confirmPayment(
    @Input() { params, body }: RouteInput<typeof routes.confirmPaymentIntent>,
  ): Promise<SandboxConfirmation> {
    return this.confirm('payment_intents', params.intentId, body);
  }

  @Route(routes.subscribeByWallet)
  subscribeByWallet(@Input() { body }: RouteInput<typeof routes.subscribeByWallet>) {
    return this.server.call('/payments/wallet/subscriptions', routes.subscribeByWallet.responses[201], {
      plan_id: body.planId,
      custom_id: body.customId,
    });
  }

  @Route(routes.chargeWallet)
  chargeWallet(@Input() { body }: RouteInput<typeof routes.chargeWallet>) {
    return this.server.call('/payments/wallet/charges', routes.chargeWallet.responses[201], {
      amount_cents: body.amountCents,
      currency: body.currency,
      custom_id: body.customId,
      payer_email: body.payerEmail,
    });
  }

  @Route(routes.advanceClock)
  advanceClock(@Input() { body }: RouteInput<typeof routes.advanceClock>): Promise<{ now: string }> {
    return this.server.call('/clock', routes.advanceClock.responses[200], {
      advance_seconds: body.advanceSeconds,
      wait: body.wait,
    });
  }

  @Route(routes.listEvents)
  listEvents(
    @Input() { query: { subjectId, limit, startingAfter } }: RouteInput<typeof routes.listEvents>,
  ): Promise<{ data: SandboxEvent[]; hasMore: boolean }> {
    const query = new URLSearchParams({
      limit: String(limit),
      ...(subjectId !== undefined && { subject_id: subjectId }),
      ...(startingAfter !== undefined && { starting_after: startingAfter }),
    });
    return this.server.call(`/webhooks?${query}`, routes.listEvents.responses[200]);
  }

  @Route(routes.replayEvent)
  replayEvent(@Input() { body }: RouteInput<typeof routes.replayEvent>) {
    return this.server.call('/webhooks', routes.replayEvent.responses[200], {
      event_id: body.eventId,
      times: body.times,
      tamper: body.tamper,
      age_seconds: body.ageSeconds,
    });
  }

  private confirm(
    kind: 'setup_intents' | 'payment_intents',
    id: string,
    { cardNumber, returnUrl }: RouteInput<typeof routes.confirmSetupIntent>['body'],
  ): Promise<SandboxConfirmation> {
    const body = { card_number: cardNumber, return_url: returnUrl };
    return this.server.call(`/payments/${kind}/${encodeURIComponent(id)}/confirm`, SandboxConfirmation, body);
  }
}
