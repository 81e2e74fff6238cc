import { type Looks, type RouteInput, resultRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { LooksService } from './looks.service.js';

@Controller()
export class LooksController {
  constructor(private readonly looks: LooksService) {}

  @Route(resultRoutes.createLooks)
  request(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof resultRoutes.createLooks>,
  ): Promise<Looks> {
    return this.looks.request(caller, params.taskId);
  }

  @Route(resultRoutes.getLooks)
  get(@CurrentCaller() caller: Caller, @Input() { params }: RouteInput<typeof resultRoutes.getLooks>): Promise<Looks> {
    return this.looks.get(caller, params.taskId);
  }
}
