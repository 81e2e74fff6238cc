import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';

/** Stored as a hash; operators identify codes by the prefix. */
@Entity('gift_codes')
export class GiftCode {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { unique: true })
  codeHash!: string;

  @Column('text')
  prefix!: string;

  @Column('int', { nullable: true })
  days!: number | null;

  /** End of redemption and of the granted time; null for no limit. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('int')
  maxUses!: number;

  @Column('int')
  uses!: number;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;
}

@Injectable()
export class GiftCodeRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async insert(manager: EntityManager, codes: readonly GiftCode[]): Promise<void> {
    await manager.insert(GiftCode, [...codes]);
  }

  list(): Promise<GiftCode[]> {
    return this.database.manager.find(GiftCode, { order: { createdAt: 'ASC' } });
  }

  async revoke(manager: EntityManager, id: string, at: Date): Promise<boolean> {
    // Compared as text: operators pass any.
    const { affected } = await manager
      .createQueryBuilder()
      .update(GiftCode)
      .set({ revokedAt: at })
      .where('id::text = :id AND revoked_at IS NULL', { id })
      .execute();
    return affected === 1;
  }

  lockByHash(manager: EntityManager, codeHash: string): Promise<GiftCode | null> {
    return manager.findOne(GiftCode, { where: { codeHash }, lock: { mode: 'pessimistic_write' } });
  }

  async insertUse(manager: EntityManager, codeId: string, userId: string, at: Date): Promise<boolean> {
    const inserted: unknown[] = await manager.query(
      `INSERT INTO gift_code_uses (code_id, user_id, created_at) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING RETURNING code_id`,
      [codeId, userId, at],
    );
    return inserted.length > 0;
  }

  async setUses(manager: EntityManager, codeId: string, uses: number): Promise<void> {
    await manager.update(GiftCode, codeId, { uses });
  }

  /** Drops uses that the receiving user already has. */
  async moveUses(manager: EntityManager, from: string, to: string): Promise<void> {
    await manager.query(
      `INSERT INTO gift_code_uses (code_id, user_id, created_at)
       SELECT code_id, $2, created_at FROM gift_code_uses WHERE user_id = $1 ON CONFLICT DO NOTHING`,
      [from, to],
    );
    await manager.query('DELETE FROM gift_code_uses WHERE user_id = $1', [from]);
  }

  async deleteUsesOf(userId: string): Promise<void> {
    await this.database.query('DELETE FROM gift_code_uses WHERE user_id = $1', [userId]);
  }
}
