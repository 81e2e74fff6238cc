import { currencyForVisitor, type RouteInput, type Settings, settingsRoutes } from '@clearframe/contract';
import { languagesIn } from '@clearframe/contract/accept-language';
import { Controller, Module, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ExperimentsModule } from '../experiments/experiments.module.js';
import { CountriesConfig } from '../payment-gate/countries.config.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, MaybeCaller } from '../sessions/caller.js';
import { SettingsService, VideoAvailability } from './settings.service.js';

@Controller()
class SettingsController {
  constructor(
    private readonly settings: SettingsService,
    private readonly countries: CountriesConfig,
  ) {}

  @Route(settingsRoutes.getSettings)
  read(
    @Input() { body }: RouteInput<typeof settingsRoutes.getSettings>,
    @MaybeCaller() caller: Caller | undefined,
    @Req() { headers }: FastifyRequest,
  ): Promise<Settings> {
    const currency =
      body.currency ??
      currencyForVisitor({
        country: this.countries.countryIn(headers),
        languages: languagesIn(headers['accept-language']),
      });
    return this.settings.read({
      visitor: { userId: caller?.userId ?? null, localStorageId: body.localStorageId },
      currency,
      version: body.version,
      isPurchaseBlocked: this.countries.isBlocked(headers),
    });
  }
}

@Module({
  imports: [ExperimentsModule],
  controllers: [SettingsController],
  providers: [SettingsService, VideoAvailability],
})
export class SettingsModule {}
