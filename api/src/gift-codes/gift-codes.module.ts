import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GiftCode } from './gift-code.entity.js';
import { GiftCodeRepository } from './gift-code.repository.js';
import { GiftCodesController } from './gift-codes.controller.js';
import { GiftCodesService } from './gift-codes.service.js';
import { GiftCodesPersonalData } from './gift-codes-personal-data.js';

@Module({
  imports: [TypeOrmModule.forFeature([GiftCode])],
  controllers: [GiftCodesController],
  providers: [GiftCodeRepository, GiftCodesPersonalData, GiftCodesService],
})
export class GiftCodesModule {}
