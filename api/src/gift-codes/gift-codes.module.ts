import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module.js';
import { GiftCode } from './gift-code.entity.js';
import { GiftCodesController } from './gift-codes.controller.js';
import { GiftCodesService } from './gift-codes.service.js';
import { GiftCodesPersonalData } from './gift-codes-personal-data.js';

@Module({
  imports: [TypeOrmModule.forFeature([GiftCode]), UsersModule],
  controllers: [GiftCodesController],
  providers: [GiftCodesPersonalData, GiftCodesService],
})
export class GiftCodesModule {}
