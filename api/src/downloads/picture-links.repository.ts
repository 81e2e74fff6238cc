import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

@Injectable()
export class PictureLinksRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async insert(
    manager: EntityManager,
    link: { readonly hash: Buffer; readonly taskId: string; readonly paymentId: string },
  ): Promise<boolean> {
    const inserted: unknown[] = await manager.query(
      `INSERT INTO picture_links (hash, task_id, payment_id, created_at) VALUES ($1, $2, $3, now())
       ON CONFLICT (payment_id) DO NOTHING RETURNING payment_id`,
      [link.hash, link.taskId, link.paymentId],
    );
    return inserted.length > 0;
  }

  async findTaskId(hash: Buffer): Promise<string | null> {
    const [link]: { task_id: string }[] = await this.database.query(
      `SELECT task_id FROM picture_links l JOIN tasks t ON t.id = l.task_id
       WHERE l.hash = $1 AND t.expires_at > now()`,
      [hash],
    );
    return link?.task_id ?? null;
  }
}
