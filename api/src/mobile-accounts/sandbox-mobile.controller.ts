import { type RouteInput, sandboxMobileRoutes, toWire } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { SandboxClient } from '../platform/sandbox/sandbox-client.js';
import { MOBILE_PATH } from './sandbox-mobile.js';

const { subscribe } = sandboxMobileRoutes;

@Controller()
export class SandboxMobileController {
  constructor(private readonly sandbox: SandboxClient) {}

  @Route(subscribe)
  subscribe(@Input() { body }: RouteInput<typeof subscribe>): Promise<{ oracleBackendId: string }> {
    return this.sandbox.call(`${MOBILE_PATH}/subscriptions`, subscribe.responses[201], {
      method: 'POST',
      body: toWire(subscribe.body, body) as object,
    });
  }
}
