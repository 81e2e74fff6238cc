import { Module } from '@nestjs/common';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { FlagsModule } from '../platform/flags/flags.service.js';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsersModule } from '../users/users.module.js';
import { DownloadRun } from './download-run.js';
import { DownloadsController } from './downloads.controller.js';
import { DownloadsService } from './downloads.service.js';
import { PictureLinks } from './picture-links.js';
import { PictureLinksRepository } from './picture-links.repository.js';
import { TilesService } from './tiles.service.js';
import { ZipDownloads } from './zip-downloads.js';

@Module({
  imports: [BillingAccountsModule, FlagsModule, RunsModule, StorageModule, TasksModule, UsersModule],
  controllers: [DownloadsController],
  providers: [DownloadRun, DownloadsService, PictureLinks, PictureLinksRepository, TilesService, ZipDownloads],
  exports: [DownloadsService, PictureLinks],
})
export class DownloadsModule {}
