import type { RenderedImage, RenditionOrder } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, In, PrimaryColumn } from 'typeorm';

@Entity('renditions')
export class RenditionRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  taskId!: string;

  /** Null when rendered from the original. */
  @Column('uuid', { nullable: true })
  outputRunId!: string | null;

  @Column('jsonb')
  rendition!: RenditionOrder;

  /** Equal for the same source and order, so that a file is rendered once. */
  @Column('text')
  renditionKey!: string;

  @Column('boolean')
  isExport!: boolean;

  @Column('text')
  status!: 'pending' | 'ready' | 'failed';

  @Column('jsonb', { nullable: true })
  image!: RenderedImage | null;

  @Column('timestamptz')
  createdAt!: Date;
}

const USABLE: readonly RenditionRow['status'][] = ['pending', 'ready'];

@Injectable()
export class RenditionsRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  find(id: string, manager: EntityManager = this.database.manager): Promise<RenditionRow | null> {
    return manager.findOneBy(RenditionRow, { id });
  }

  findUsable(manager: EntityManager, taskId: string, renditionKey: string): Promise<RenditionRow | null> {
    return manager.findOneBy(RenditionRow, { taskId, renditionKey, status: In([...USABLE]) });
  }

  list(taskIds: readonly string[], manager: EntityManager = this.database.manager): Promise<RenditionRow[]> {
    return manager.find(RenditionRow, { where: { taskId: In([...taskIds]) }, order: { createdAt: 'DESC' } });
  }

  async downloadedResults(manager: EntityManager, taskId: string): Promise<ReadonlySet<string>> {
    const rows = await manager.findBy(RenditionRow, { taskId, isExport: true, status: In([...USABLE]) });
    return new Set(rows.flatMap(({ outputRunId }) => outputRunId ?? []));
  }

  async delete(id: string): Promise<void> {
    await this.database.manager.delete(RenditionRow, id);
  }

  async insert(manager: EntityManager, row: RenditionRow): Promise<void> {
    await manager.insert(RenditionRow, row);
  }

  async update(manager: EntityManager, id: string, change: Partial<RenditionRow>): Promise<void> {
    await manager.update(RenditionRow, id, change);
  }
}
