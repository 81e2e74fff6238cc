import { type AccessRequirement, accessTo, type RouteSpec } from '@clearframe/contract';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors/app-error.js';
import { refuseUnknownInput, routeOf } from '../platform/http/route.decorator.js';
import { hasKey, PluginKeyAccess } from '../plugin-keys/plugin-key-access.js';
import type { Caller } from '../sessions/caller.js';
import { CallerService } from '../sessions/caller.service.js';
import { StaffAccess } from '../staff/staff-access.js';
import { UploadTokensService, uploadTokenIn } from '../upload-tokens/upload-tokens.service.js';

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly callers: CallerService,
    private readonly keys: PluginKeyAccess,
    private readonly uploadTokens: UploadTokensService,
    private readonly staff: StaffAccess,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = routeOf(context);
    // Operational endpoints only: the boot fails on other handlers without a route.
    if (!route) return true;
    const access = accessTo(route);
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (access.session !== 'ignored') request.caller = await this.callerOf(request, access, route);
    // A typing error in a program's request would change what it pays for: a key ignores nothing.
    if (request.caller?.principal.kind === 'key') refuseUnknownInput(route, request);
    if (access.staffPassword) await this.staff.require(route, request, http.getResponse<FastifyReply>());
    return true;
  }

  private async callerOf(
    request: FastifyRequest,
    access: AccessRequirement,
    { cors }: RouteSpec,
  ): Promise<Caller | undefined> {
    if (access.session === 'optional') return (await this.bySession(request)) ?? undefined;
    // A key counts more than a token, also when it is broken: a request never succeeds without the key it names.
    if (hasKey(request)) return this.keys.require(request, access);
    const uploadToken = uploadTokenIn(request);
    if (uploadToken && !cors) throw this.keys.refusal('plugin_keys.not_permitted');
    if (uploadToken) return this.uploadTokens.require(uploadToken, request);
    const caller = await this.bySession(request);
    if (!caller && access.keyScope) throw this.keys.refusal('users.not_authorized');
    if (!caller) throw new AppError('users.not_authorized');
    if (access.session === 'rejected') throw this.keys.refusal('plugin_keys.required');
    if (access.session === 'account' && caller.isGuest) throw new AppError('billing.login_required');
    return caller;
  }

  private async bySession({ headers }: FastifyRequest): Promise<Caller | null> {
    const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
    const caller = token ? await this.callers.byToken(token) : null;
    if (caller) await this.callers.storeLanguage(caller, headers['accept-language']);
    return caller;
  }
}
