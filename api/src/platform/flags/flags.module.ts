import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlagOverride, FlagOverrideRepository, FlagsService } from './flags.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([FlagOverride])],
  providers: [FlagOverrideRepository, FlagsService],
  exports: [FlagsService],
})
export class FlagsModule {}
