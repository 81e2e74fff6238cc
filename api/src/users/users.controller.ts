import {
  type AccessToken,
  type RouteInput,
  type User,
  type UserExport,
  userExportRoutes,
  userRoutes,
  type WebOnboardingId,
} from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller, MaybeCaller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { AccountService } from './account.service.js';
import { GuestsService } from './guests.service.js';
import { LoginService } from './login.service.js';
import { OnboardingService } from './onboarding.service.js';

@Controller()
export class UsersController {
  constructor(
    private readonly guests: GuestsService,
    private readonly onboardings: OnboardingService,
    private readonly logins: LoginService,
    private readonly accounts: AccountService,
    private readonly sessions: SessionService,
  ) {}

  @Route(userRoutes.createGuest)
  createGuest(): Promise<AccessToken> {
    return this.guests.create();
  }

  @Route(userRoutes.login)
  login(
    @MaybeCaller() caller: Caller | undefined,
    @Input() { body }: RouteInput<typeof userRoutes.login>,
  ): Promise<AccessToken> {
    return this.logins.login(caller, body.firebaseIdToken, body.preferences);
  }

  @Route(userRoutes.issueWebOnboardingId)
  issueWebOnboardingId(@CurrentCaller() caller: Caller): Promise<WebOnboardingId> {
    return this.onboardings.issue(caller);
  }

  @Route(userRoutes.migrateGuest)
  async migrate(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof userRoutes.migrateGuest>,
  ): Promise<User> {
    await this.onboardings.migrate(caller, body.webOnboardingUserId);
    return this.accounts.getFresh(caller.userId);
  }

  @Route(userRoutes.renewSession)
  async renewSession(@CurrentCaller() caller: Caller): Promise<AccessToken> {
    return { accessToken: await this.sessions.renew(caller) };
  }

  @Route(userRoutes.logout)
  logout(@CurrentCaller() caller: Caller): Promise<void> {
    return this.logins.logout(caller);
  }

  @Route(userRoutes.getCurrentUser)
  getMe(@CurrentCaller() caller: Caller): Promise<User> {
    return this.accounts.get(caller);
  }

  @Route(userRoutes.updatePreferences)
  overridePreferences(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof userRoutes.updatePreferences>,
  ): Promise<User> {
    return this.accounts.overridePreferences(caller, body.preferences);
  }

  @Route(userExportRoutes.exportCurrentUser)
  exportMe(@CurrentCaller() caller: Caller): Promise<UserExport> {
    return this.accounts.export(caller);
  }

  @Route(userRoutes.deleteCurrentUser)
  eraseMe(@CurrentCaller() caller: Caller): Promise<void> {
    return this.accounts.erase(caller);
  }
}
