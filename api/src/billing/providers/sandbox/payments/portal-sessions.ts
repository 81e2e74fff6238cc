import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { AppConfig } from '../../../../platform/config/app.config.js';
import { AppError } from '../../../../platform/errors/app-error.js';
import { newSecret, sha256 } from '../core/ids.js';
import { Customer } from '../core/ledger.entities.js';
import { InvalidSandboxRequest, SandboxLedger } from '../core/ledger.js';
import { PortalSession } from '../core/system.entities.js';

const OPEN_FOR_MS = inMilliseconds.hours(1);
export const PORTAL_PATH = '/api/sandbox/pages/portal';

/** Valid for an hour. */
@Injectable()
export class PortalSessions {
  constructor(
    private readonly ledger: SandboxLedger,
    private readonly app: AppConfig,
  ) {}

  async open(customerId: string): Promise<string> {
    const token = newSecret();
    await this.ledger.transact(async ({ manager }) => {
      if (!(await manager.existsBy(Customer, { id: customerId }))) throw new InvalidSandboxRequest('no such customer');
      const expiresAt = new Date(Date.now() + OPEN_FOR_MS);
      await manager.insert(PortalSession, { tokenHash: sha256(token), customerId, expiresAt });
    });
    return `${this.app.publicUrl}${PORTAL_PATH}/${token}`;
  }

  /** @throws AppError `request.not_found` for an unknown or expired session */
  async customerOf(token: string): Promise<string> {
    const session = await this.ledger.read((manager) =>
      manager.findOneBy(PortalSession, { tokenHash: sha256(token), expiresAt: MoreThan(new Date()) }),
    );
    if (!session) throw new AppError('request.not_found');
    return session.customerId;
  }
}
