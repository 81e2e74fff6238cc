import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlagsModule } from '../platform/flags/flags.service.js';
import { UploadTokensController } from './upload-tokens.controller.js';
import { UploadTokenRow, UploadTokensRepository } from './upload-tokens.repository.js';
import { UploadTokensService } from './upload-tokens.service.js';

@Module({
  imports: [FlagsModule, TypeOrmModule.forFeature([UploadTokenRow])],
  controllers: [UploadTokensController],
  providers: [UploadTokensRepository, UploadTokensService],
  exports: [UploadTokensService],
})
export class UploadTokensModule {}
