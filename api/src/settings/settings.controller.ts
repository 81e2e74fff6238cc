import { type RouteInput, type Settings, settingsRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { SettingsService } from './settings.service.js';

@Controller()
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  @Route(settingsRoutes.readSettings)
  read(@Input() { body }: RouteInput<typeof settingsRoutes.readSettings>): Promise<Settings> {
    return this.settings.read(body);
  }
}
