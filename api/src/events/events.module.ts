import { Module } from '@nestjs/common';
import { MonitoringController, WebEventsController } from './events.controller.js';
import { WebEventsRepository } from './web-events.repository.js';

@Module({
  controllers: [WebEventsController, MonitoringController],
  providers: [WebEventsRepository],
})
export class EventsModule {}
