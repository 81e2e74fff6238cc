import { type RouteInput, type UsageList, usageRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { KeyUsage } from './key-usage.js';

@Controller()
export class UsageController {
  constructor(private readonly usage: KeyUsage) {}

  @Route(usageRoutes.listUsage)
  list(
    @CurrentCaller() caller: Caller,
    @Input() { query }: RouteInput<typeof usageRoutes.listUsage>,
  ): Promise<UsageList> {
    return this.usage.list(caller, query);
  }
}
