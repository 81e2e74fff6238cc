import { randomUUID } from 'node:crypto';
import type { AccessToken } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SessionService } from '../identity/session.service.js';
import { User } from './user.entity.js';

@Injectable()
export class UsersService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sessions: SessionService,
  ) {}

  /** Makes a guest with a session of its own. */
  async createGuest(): Promise<AccessToken> {
    const guest: User = { id: randomUUID(), isGuest: true, createdAt: new Date() };
    return this.database.transaction(async (manager) => {
      await manager.insert(User, guest);
      return { accessToken: await this.sessions.open(guest, manager) };
    });
  }
}
