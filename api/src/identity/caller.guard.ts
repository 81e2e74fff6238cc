import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors/app-error.js';
import { routeOf } from '../platform/http/route.decorator.js';
import { SessionService } from './session.service.js';

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Lets nobody without a good token past a row that needs one. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(private readonly sessions: SessionService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (routeOf(context)?.auth !== 'caller') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    const caller = token ? await this.sessions.callerOf(token) : null;
    if (!caller) throw new AppError('users.not_authorized');
    request.caller = caller;
    return true;
  }
}
