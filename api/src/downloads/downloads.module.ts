import { Module } from '@nestjs/common';
import { FlagsModule } from '../platform/flags/flags.module.js';
import { StorageModule } from '../platform/storage/storage.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsersModule } from '../users/users.module.js';
import { ArchivesService } from './archives.service.js';
import { ConversionsService } from './conversions.service.js';
import { ExportsService } from './exports.service.js';
import { PictureLinksController } from './picture-links.controller.js';
import { PictureLinks } from './picture-links.js';
import { PictureLinksRepository } from './picture-links.repository.js';
import { RenderRun } from './render-run.js';
import { ResultsController } from './results.controller.js';

@Module({
  imports: [FlagsModule, RunsModule, StorageModule, TasksModule, UsersModule],
  controllers: [PictureLinksController, ResultsController],
  providers: [ArchivesService, ConversionsService, ExportsService, PictureLinks, PictureLinksRepository, RenderRun],
  exports: [ExportsService, PictureLinks],
})
export class DownloadsModule {}
