import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { SharePreviews } from './share-previews.js';
import { SharingLinks } from './sharing-links.js';
import { SharingsRepository } from './sharings.repository.js';

@Injectable()
@HoldsPersonalData(['sharings'])
export class SharingsPersonalData implements PersonalData<'sharings'> {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: SharingsRepository,
    private readonly previews: SharePreviews,
    private readonly links: SharingLinks,
  ) {}

  /** Links belong to tasks. */
  async move(): Promise<void> {}

  async export(userId: string): Promise<Pick<ExportedData, 'sharings'>> {
    const rows = await this.repository.listOfUser(userId);
    return {
      sharings: rows.flatMap((row) => {
        const { url, expiresAt } = this.links.present(row);
        return row.taskId ? [{ taskId: row.taskId, url, createdAt: row.createdAt.toISOString(), expiresAt }] : [];
      }),
    };
  }

  /** Links created during the erasure are deleted with their tasks. */
  async erase(userId: string): Promise<void> {
    for (const row of await this.repository.listOfUser(userId)) {
      await this.database.transaction(async (manager) => {
        await this.previews.cancel(manager, row);
        await this.repository.delete(manager, row.id);
      });
      await this.previews.deleteFiles(row);
    }
  }
}
