import { type RouteInput, sandboxMobileRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { SandboxMobileRepository } from './sandbox-mobile.repository.js';

@Controller()
export class SandboxMobileController {
  constructor(private readonly mobile: SandboxMobileRepository) {}

  @Route(sandboxMobileRoutes.subscribe)
  async subscribe(
    @Input() { body }: RouteInput<typeof sandboxMobileRoutes.subscribe>,
  ): Promise<{ oracleBackendId: string }> {
    return { oracleBackendId: await this.mobile.subscribe(body.email) };
  }
}
