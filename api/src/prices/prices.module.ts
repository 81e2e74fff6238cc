import { Module } from '@nestjs/common';
import { ExperimentsModule } from '../experiments/experiments.module.js';
import { Offers } from './offers.js';
import { PricesController } from './prices.controller.js';

@Module({
  imports: [ExperimentsModule],
  controllers: [PricesController],
  providers: [Offers],
  exports: [Offers],
})
export class PricesModule {}
