import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In } from 'typeorm';
import { RenditionRow } from './rendition.entity.js';

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
