import { type RouteSpec, STAFF_PASSWORD_HEADER } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditService } from '../audit/audit.service.js';
import { AppConfig } from '../platform/config/app.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { addressOf, networkOf } from '../platform/http/address.js';
import { setRateLimitHeaders } from '../platform/http/rate-limit-headers.js';
import { FAILURES_PER_ADDRESS, PasswordGate } from './password-gate.js';

@Injectable()
export class StaffAccess {
  constructor(
    private readonly gate: PasswordGate,
    private readonly audit: AuditService,
    private readonly app: AppConfig,
  ) {}

  async require({ path }: RouteSpec, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const password = request.headers[STAFF_PASSWORD_HEADER];
    const action = `staff${path.replaceAll('/', '.')}`;
    await this.requirePassword(action, typeof password === 'string' ? password : '', request, reply);
  }

  /** @throws AppError `secret_menu.password_incorrect`, `request.rate_limited` */
  async requirePassword(action: string, password: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const network = networkOf(addressOf(request, this.app.internalSecret));
    const record = (outcome: 'passed' | 'refused') =>
      this.audit.record({
        actor: request.caller ? `user:${request.caller.userId}` : `address:${network}`,
        action,
        details: { outcome, address: network, requestId: request.id },
      });
    try {
      await this.gate.check(password, network);
    } catch (refusal) {
      // Rate-limited attempts could fill the audit log.
      if (!(refusal instanceof AppError && refusal.code === 'request.rate_limited')) await record('refused');
      throw refusal;
    } finally {
      setRateLimitHeaders(reply, 'staff', FAILURES_PER_ADDRESS, await this.gate.limitOf(network));
    }
    await record('passed');
  }
}
