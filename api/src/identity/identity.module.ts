import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ENVIRONMENT } from '../platform/config/config.module.js';
import { AuthConfig } from './auth.config.js';
import { CallerGuard } from './caller.guard.js';
import { Session } from './session.entity.js';
import { SessionService } from './session.service.js';
import { TokenService } from './token.service.js';

/** Who is calling: tokens, sessions, the guard in front of every row that needs one. */
@Module({
  imports: [TypeOrmModule.forFeature([Session])],
  providers: [
    { provide: AuthConfig, inject: [ENVIRONMENT], useFactory: AuthConfig.fromEnvironment },
    TokenService,
    SessionService,
    { provide: APP_GUARD, useClass: CallerGuard },
  ],
  exports: [SessionService],
})
export class IdentityModule {}
