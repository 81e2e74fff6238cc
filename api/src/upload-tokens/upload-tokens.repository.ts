import { AiPipeline, type KeyKind, type KeyScope, type OutputContentType } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { JsonColumn } from '../platform/database/json-column.js';
import type { UploadToken } from '../sessions/caller.js';
import { CALLING_USER, type CallingUser } from '../sessions/session.repository.js';

@Entity('upload_tokens')
export class UploadTokenRow implements UploadToken {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  keyId!: string;

  /** SHA-256 of the token: no salt or slow hash is needed for 256 random bits. */
  @Column('bytea')
  hash!: Buffer;

  @JsonColumn(AiPipeline, { nullable: true })
  aiPipeline!: AiPipeline | null;

  @Column('text', { nullable: true })
  outputContentType!: OutputContentType | null;

  /** The only origin whose pages may send it; null: any. */
  @Column('text', { nullable: true })
  origin!: string | null;

  @Column('timestamptz')
  expiresAt!: Date;

  /** Null until a picture has been accepted, or while none is being sent. */
  @Column('timestamptz', { nullable: true })
  usedAt!: Date | null;

  /** Of the picture that was accepted. */
  @Column('uuid', { nullable: true })
  taskId!: string | null;
}

/** The key that a token stands for, with its owner. */
export interface TokenKey extends CallingUser {
  readonly kind: KeyKind;
  readonly scopes: readonly KeyScope[];
  readonly perMinute: number | null;
}

@Injectable()
export class UploadTokensRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async insert(manager: EntityManager, row: UploadTokenRow): Promise<void> {
    await manager.insert(UploadTokenRow, row);
  }

  findByHash(hash: Buffer): Promise<UploadTokenRow | null> {
    return this.database.manager.findOneBy(UploadTokenRow, { hash });
  }

  /** Null for a key that was revoked or has expired. */
  async findLiveKey(keyId: string): Promise<TokenKey | null> {
    const [key]: TokenKey[] = await this.database.query(
      `SELECT k.kind, k.scopes, k.per_minute AS "perMinute", ${CALLING_USER}
       FROM plugin_keys k JOIN users u ON u.id = k.user_id
       WHERE k.id = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
      [keyId],
    );
    return key ?? null;
  }

  /** Of concurrent calls one gets true. */
  async claim(id: string): Promise<boolean> {
    const { affected } = await this.database
      .createQueryBuilder()
      .update(UploadTokenRow)
      .set({ usedAt: () => 'now()' })
      .where('id = :id AND used_at IS NULL', { id })
      .execute();
    return affected === 1;
  }

  async setTask(id: string, taskId: string): Promise<void> {
    await this.database.manager.update(UploadTokenRow, { id }, { taskId });
  }

  async release(id: string): Promise<void> {
    await this.database.manager.update(UploadTokenRow, { id }, { usedAt: null });
  }

  async deleteExpired(manager: EntityManager): Promise<void> {
    await manager.query(`DELETE FROM upload_tokens WHERE expires_at < now() - interval '1 day'`);
  }
}
