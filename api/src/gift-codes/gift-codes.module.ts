import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GiftCode } from './gift-code.entity.js';
import { GiftCodesController } from './gift-codes.controller.js';
import { GiftCodesService } from './gift-codes.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([GiftCode])],
  controllers: [GiftCodesController],
  providers: [GiftCodesService],
})
export class GiftCodesModule {}
