import { DownloadSpec, RenderedImage } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, In, PrimaryColumn } from 'typeorm';
import { JsonColumn } from '../platform/database/json-column.js';

@Entity('renditions')
export class DownloadRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  taskId!: string;

  /** Null when rendered from the original. */
  @Column('uuid', { nullable: true })
  outputRunId!: string | null;

  @JsonColumn(DownloadSpec)
  rendition!: DownloadSpec;

  /** Equal for the same source and spec, so that a file is rendered once. */
  @Column('text')
  renditionKey!: string;

  @Column('boolean')
  isExport!: boolean;

  @Column('text')
  status!: 'pending' | 'ready' | 'failed';

  @JsonColumn(RenderedImage, { nullable: true })
  image!: RenderedImage | null;

  @Column('timestamptz')
  createdAt!: Date;
}

const USABLE: readonly DownloadRow['status'][] = ['pending', 'ready'];

@Injectable()
export class DownloadsRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  find(id: string, manager: EntityManager = this.database.manager): Promise<DownloadRow | null> {
    return manager.findOneBy(DownloadRow, { id });
  }

  findUsable(manager: EntityManager, taskId: string, renditionKey: string): Promise<DownloadRow | null> {
    return manager.findOneBy(DownloadRow, { taskId, renditionKey, status: In([...USABLE]) });
  }

  list(taskIds: readonly string[], manager: EntityManager = this.database.manager): Promise<DownloadRow[]> {
    return manager.find(DownloadRow, { where: { taskId: In([...taskIds]) }, order: { createdAt: 'DESC' } });
  }

  async downloadedResults(manager: EntityManager, taskId: string): Promise<ReadonlySet<string>> {
    const rows = await manager.findBy(DownloadRow, { taskId, isExport: true, status: In([...USABLE]) });
    return new Set(rows.flatMap(({ outputRunId }) => outputRunId ?? []));
  }

  async delete(id: string): Promise<void> {
    await this.database.manager.delete(DownloadRow, id);
  }

  async insert(manager: EntityManager, row: DownloadRow): Promise<void> {
    await manager.insert(DownloadRow, row);
  }

  async update(manager: EntityManager, id: string, change: Partial<DownloadRow>): Promise<void> {
    await manager.update(DownloadRow, id, change);
  }
}
