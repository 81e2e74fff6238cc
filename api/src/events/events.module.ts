import { Module } from '@nestjs/common';
import { MonitoringController } from './monitoring.controller.js';
import { WebEventsController } from './web-events.controller.js';
import { WebEventsRepository } from './web-events.repository.js';
import { WebEventsPersonalData } from './web-events-personal-data.js';
import { WebEventsRetention } from './web-events-retention.js';

@Module({
  controllers: [WebEventsController, MonitoringController],
  providers: [WebEventsRepository, WebEventsPersonalData, WebEventsRetention],
})
export class EventsModule {}
