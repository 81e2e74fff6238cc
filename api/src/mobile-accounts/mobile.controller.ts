import { mobileRoutes, type RouteInput, type User } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { MobileService } from './mobile.service.js';

@Controller()
export class MobileController {
  constructor(private readonly mobile: MobileService) {}

  @Route(mobileRoutes.linkMobile)
  link(@CurrentCaller() caller: Caller, @Input() { body }: RouteInput<typeof mobileRoutes.linkMobile>): Promise<User> {
    return this.mobile.link(caller, body.oracleBackendId);
  }
}
