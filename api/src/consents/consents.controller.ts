import { type Consent, consentRoutes, type RouteInput } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { ConsentsService } from './consents.service.js';

@Controller()
export class ConsentsController {
  constructor(private readonly consents: ConsentsService) {}

  @Route(consentRoutes.grantConsent)
  grant(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof consentRoutes.grantConsent>,
  ): Promise<Consent> {
    return this.consents.grant(caller, params.kind, body.requestUrl);
  }

  @Route(consentRoutes.withdrawConsent)
  withdraw(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof consentRoutes.withdrawConsent>,
  ): Promise<void> {
    return this.consents.withdraw(caller, params.kind, body.requestUrl ?? null);
  }
}
