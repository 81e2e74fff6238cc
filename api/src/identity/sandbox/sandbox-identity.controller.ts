import { type RouteInput, type SandboxIdentityAccount, sandboxRoutes, toWire } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../../platform/http/route.decorator.js';
import { SandboxClient } from '../../platform/sandbox/sandbox-client.js';

const { issueIdentityToken, getIdentityAccount } = sandboxRoutes;
const PATH = '/api/sandbox/identity';

@Controller()
export class SandboxIdentityController {
  constructor(private readonly sandbox: SandboxClient) {}

  @Route(issueIdentityToken)
  issue(@Input() { body }: RouteInput<typeof issueIdentityToken>): Promise<{ idToken: string }> {
    return this.sandbox.call(`${PATH}/tokens`, issueIdentityToken.responses[200], {
      method: 'POST',
      body: toWire(issueIdentityToken.body, body) as object,
    });
  }

  @Route(getIdentityAccount)
  account(@Input() { query }: RouteInput<typeof getIdentityAccount>): Promise<SandboxIdentityAccount> {
    const path = `${PATH}/accounts?${new URLSearchParams({ email: query.email })}`;
    return this.sandbox.call(path, getIdentityAccount.responses[200]);
  }
}
