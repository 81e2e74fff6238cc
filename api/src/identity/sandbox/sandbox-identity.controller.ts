import { type RouteInput, type SandboxIdentityAccount, sandboxRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../../platform/http/route.decorator.js';
import { SandboxIdentity } from './sandbox-identity.js';

@Controller()
export class SandboxIdentityController {
  constructor(private readonly sandbox: SandboxIdentity) {}

  @Route(sandboxRoutes.issueIdentityToken)
  async issue(@Input() { body }: RouteInput<typeof sandboxRoutes.issueIdentityToken>): Promise<{ idToken: string }> {
    return { idToken: await this.sandbox.issue(body) };
  }

  @Route(sandboxRoutes.getIdentityAccount)
  async account(
    @Input() { query }: RouteInput<typeof sandboxRoutes.getIdentityAccount>,
  ): Promise<SandboxIdentityAccount> {
    return { email: query.email, providers: await this.sandbox.providersOf(query.email) };
  }
}
