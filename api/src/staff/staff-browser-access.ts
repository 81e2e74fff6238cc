import { createHmac, randomBytes } from 'node:crypto';
import { inMilliseconds, STAFF_PASSWORD_HEADER } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppConfig } from '../platform/config/app.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { addressOf, networkOf } from '../platform/http/address.js';
import { StaffAccess } from './staff-access.js';

/** Pages load many files and poll: their password is checked, counted and audited once in this time. */
const REMEMBERED_MS = inMilliseconds.minutes(15);
const MAX_REMEMBERED = 1_000;
const BASIC = /^Basic ([\w+/=-]+)$/i;

/** Staff pages of browsers, which ask for the staff password by HTTP's basic authentication, with any user name. */
@Injectable()
export class StaffBrowserAccess {
  private readonly key = randomBytes(32);
  private readonly remembered = new Map<string, number>();

  constructor(
    private readonly access: StaffAccess,
    private readonly app: AppConfig,
  ) {}

  /**
   * Has browsers ask for the password with status 401.
   * @throws AppError `secret_menu.password_incorrect` for a wrong one in the header; `request.rate_limited`
   */
  async require(action: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const header = request.headers[STAFF_PASSWORD_HEADER];
    const password = typeof header === 'string' ? header : passwordIn(request.headers.authorization);
    if (password === null) return challenge(reply);
    const digest = this.digestOf(request, password);
    if ((this.remembered.get(digest) ?? 0) > Date.now()) return;
    try {
      await this.access.requirePassword(action, password, request, reply);
    } catch (error) {
      const isWrong = error instanceof AppError && error.code === 'secret_menu.password_incorrect';
      if (!isWrong || typeof header === 'string') throw error;
      return challenge(reply);
    }
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    this.remembered.set(digest, Date.now() + REMEMBERED_MS);
  }

  private digestOf(request: FastifyRequest, password: string): string {
    const network = networkOf(addressOf(request, this.app.internalSecret));
    return createHmac('sha256', this.key).update(`${network}\n${password}`).digest('base64');
  }
}

function passwordIn(authorization: string | undefined): string | null {
  const [, encoded] = BASIC.exec(authorization ?? '') ?? [];
  if (!encoded) return null;
  const credentials = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = credentials.indexOf(':');
  return colon === -1 ? null : credentials.slice(colon + 1);
}

function challenge(reply: FastifyReply): void {
  reply
    .status(401)
    .header('www-authenticate', 'Basic realm="Clearframe staff", charset="UTF-8"')
    .type('text/plain; charset=utf-8')
    .send('The staff password is required.');
}
