import { type AccessToken, userRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Route } from '../platform/http/route.decorator.js';
import { UsersService } from './users.service.js';

@Controller()
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Route(userRoutes.createGuest)
  createGuest(): Promise<AccessToken> {
    return this.users.createGuest();
  }
}
