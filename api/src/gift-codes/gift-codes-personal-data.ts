import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { HoldsPersonalData, type PersonalData } from '../users/personal-data.js';

/** Which codes a user has used. Exports show them as billing's gift redemptions. */
@Injectable()
@HoldsPersonalData([])
export class GiftCodesPersonalData implements PersonalData<never> {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** A guest who used a code can't use it again after logging in. */
  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await manager.query(
      `INSERT INTO gift_code_uses (code_id, user_id, created_at)
       SELECT code_id, $2, created_at FROM gift_code_uses WHERE user_id = $1 ON CONFLICT DO NOTHING`,
      [from, to],
    );
    await manager.query('DELETE FROM gift_code_uses WHERE user_id = $1', [from]);
  }

  async export(): Promise<Record<string, never>> {
    return {};
  }

  /** How often a code was used is counted on the code itself. */
  async erase(userId: string): Promise<void> {
    await this.database.query('DELETE FROM gift_code_uses WHERE user_id = $1', [userId]);
  }
}
