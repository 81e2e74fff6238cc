import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { UploadsService } from './uploads.service.js';

/** Bytes on their way in. The route is mounted by {@link UploadRoutesModule}, which needs tasks as well. */
@Module({ imports: [StorageModule], providers: [UploadsService], exports: [UploadsService] })
export class UploadsModule {}
