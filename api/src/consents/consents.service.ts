import type { Consent, ConsentKind } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { lockUsers } from '../platform/database/statements.js';
import type { Caller } from '../sessions/caller.js';
import { ConsentsRepository } from './consents.repository.js';

@Injectable()
export class ConsentsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly consents: ConsentsRepository,
  ) {}

  async grant({ userId }: Caller, kind: ConsentKind, requestUrl: string): Promise<Consent> {
    const grantedAt = await this.change(userId, { kind, isGranted: true, requestUrl });
    return { granted: true, grantedAt: grantedAt.toISOString() };
  }

  async withdraw({ userId }: Caller, kind: ConsentKind, requestUrl: string | null): Promise<void> {
    await this.change(userId, { kind, isGranted: false, requestUrl });
  }

  /** Records nothing when the state stays the same. @returns since when it is as requested */
  private change(
    userId: string,
    change: { readonly kind: ConsentKind; readonly isGranted: boolean; readonly requestUrl: string | null },
  ): Promise<Date> {
    return this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      const newest = await this.consents.findNewest(manager, userId, change.kind);
      if (newest?.isGranted === change.isGranted) return newest.createdAt;
      const createdAt = new Date();
      await this.consents.insert(manager, userId, { ...change, createdAt });
      await this.consents.refreshUser(manager, userId);
      return createdAt;
    });
  }
}
