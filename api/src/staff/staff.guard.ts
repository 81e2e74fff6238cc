import { STAFF_PASSWORD_HEADER } from '@clearframe/contract';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditService } from '../audit/audit.service.js';
import { AppConfig } from '../platform/config/app.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { addressOf, networkOf } from '../platform/http/address.js';
import { describeLimit } from '../platform/http/rate-limit-headers.js';
import { routeOf } from '../platform/http/route.decorator.js';
import { FAILURES_PER_ADDRESS, PasswordGate } from './password-gate.js';

/** Stands in front of every row that is for staff, and writes down who came and how it ended. */
@Injectable()
export class StaffGuard implements CanActivate {
  constructor(
    private readonly gate: PasswordGate,
    private readonly audit: AuditService,
    private readonly app: AppConfig,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = routeOf(context);
    if (!route?.staff) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const network = networkOf(addressOf(request, this.app.internalSecret));
    const password = request.headers[STAFF_PASSWORD_HEADER];
    const record = (outcome: 'passed' | 'refused') =>
      this.audit.record({
        actor: request.caller ? `user:${request.caller.userId}` : `address:${network}`,
        action: `staff${route.path.replaceAll('/', '.')}`,
        details: { outcome, address: network, requestId: request.id },
      });
    try {
      await this.gate.pass(typeof password === 'string' ? password : '', network);
    } catch (refusal) {
      // Who is turned away before the password is looked at must not be able to fill the book.
      if (!(refusal instanceof AppError && refusal.code === 'request.rate_limited')) await record('refused');
      throw refusal;
    } finally {
      const standing = await this.gate.standingOf(network);
      describeLimit(http.getResponse<FastifyReply>(), 'staff', FAILURES_PER_ADDRESS, standing);
    }
    await record('passed');
    return true;
  }
}
