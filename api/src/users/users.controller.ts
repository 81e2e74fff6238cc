import { type AccessToken, type RouteInput, type User, type UserExport, userRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { type Caller, CurrentCaller, MaybeCaller } from '../identity/caller.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { AccountService } from './account.service.js';
import { LoginService } from './login.service.js';

@Controller()
export class UsersController {
  constructor(
    private readonly logins: LoginService,
    private readonly accounts: AccountService,
  ) {}

  @Route(userRoutes.createGuest)
  createGuest(): Promise<AccessToken> {
    return this.logins.createGuest();
  }

  @Route(userRoutes.login)
  login(
    @MaybeCaller() caller: Caller | undefined,
    @Input() { body }: RouteInput<typeof userRoutes.login>,
  ): Promise<AccessToken> {
    return this.logins.login(caller, body.firebaseIdToken, body.preferences);
  }

  @Route(userRoutes.logout)
  logout(@CurrentCaller() caller: Caller): Promise<void> {
    return this.logins.logout(caller);
  }

  @Route(userRoutes.getMe)
  getMe(@CurrentCaller() caller: Caller): Promise<User> {
    return this.accounts.get(caller);
  }

  @Route(userRoutes.overridePreferences)
  overridePreferences(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof userRoutes.overridePreferences>,
  ): Promise<User> {
    return this.accounts.overridePreferences(caller, body.preferences);
  }

  @Route(userRoutes.exportMe)
  exportMe(@CurrentCaller() caller: Caller): Promise<UserExport> {
    return this.accounts.export(caller);
  }

  @Route(userRoutes.eraseMe)
  eraseMe(@CurrentCaller() caller: Caller): Promise<void> {
    return this.accounts.erase(caller);
  }
}
