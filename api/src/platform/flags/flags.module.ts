import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlagOverride } from './flag-override.entity.js';
import { FlagsService } from './flags.service.js';

@Module({ imports: [TypeOrmModule.forFeature([FlagOverride])], providers: [FlagsService], exports: [FlagsService] })
export class FlagsModule {}
