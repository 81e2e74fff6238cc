import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlagOverride } from './flag-override.entity.js';
import { FlagOverrideRepository } from './flag-override.repository.js';
import { FlagsService } from './flags.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([FlagOverride])],
  providers: [FlagOverrideRepository, FlagsService],
  exports: [FlagsService],
})
export class FlagsModule {}
