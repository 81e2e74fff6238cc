import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors/app-error.js';
import { routeOf } from '../platform/http/route.decorator.js';
import { SessionService } from './session.service.js';
import { spokenLocale } from './spoken-locale.js';

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Lets nobody without a good token past a row that needs one. A row that can do without makes nothing of a bad one. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(private readonly sessions: SessionService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const auth = routeOf(context)?.auth ?? 'none';
    if (auth === 'none') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    const caller = token ? await this.sessions.callerOf(token) : null;
    if (caller) {
      request.caller = caller;
      const language = spokenLocale(request.headers['accept-language']);
      if (language && language !== caller.language) await this.sessions.noteLanguage(caller, language);
    } else if (auth === 'caller') throw new AppError('users.not_authorized');
    return true;
  }
}
