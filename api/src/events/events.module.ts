import { Module } from '@nestjs/common';
import { MonitoringController } from './monitoring.controller.js';
import { WebEventsController } from './web-events.controller.js';
import { WebEventsRepository } from './web-events.repository.js';

@Module({
  controllers: [WebEventsController, MonitoringController],
  providers: [WebEventsRepository],
})
export class EventsModule {}
