import { type RouteInput, staffRoutes, type User } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { StaffService } from './staff.service.js';

@Controller()
export class StaffController {
  constructor(private readonly staff: StaffService) {}

  /** The access guard has checked the password. */
  @Route(staffRoutes.checkStaffPassword)
  check(): void {}

  @Route(staffRoutes.setIsFree)
  setIsFree(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof staffRoutes.setIsFree>,
  ): Promise<User> {
    return this.staff.setIsFree(caller, body.isFree);
  }
}
