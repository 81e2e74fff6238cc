import { type Currency, type RouteInput, type Settings, type settingsRoutes, withVersion } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { ProviderPrices } from '../billing/payment-provider.js';
import { FlagsService } from './flags.service.js';
import { paymentStrategiesIn } from './payment-strategies.js';
import { TOOL_OFFERS } from './tool-offers.js';

type Request = RouteInput<typeof settingsRoutes.readSettings>['body'];

/** Languages of ours that are mostly spoken where the euro is money. */
const EURO_LANGUAGES: readonly string[] = ['de', 'fr', 'it'];

/** What a client is told before it draws anything. */
@Injectable()
export class SettingsService {
  constructor(
    private readonly flags: FlagsService,
    private readonly prices: ProviderPrices,
  ) {}

  async read({ language, version, currency: wanted }: Request): Promise<Settings> {
    const currency = wanted ?? currencyFor(language);
    return {
      ...withVersion(await this.flags.current(), version),
      paymentStrategies: paymentStrategiesIn(currency, (price) => this.prices.idOf(price)),
      aiPipelineConfig: [...TOOL_OFFERS],
      currency,
      experiments: {},
    };
  }
}

const currencyFor = (language: string): Currency => {
  const [spoken = ''] = language.toLowerCase().split(/[-_]/);
  return EURO_LANGUAGES.includes(spoken) ? 'eur' : 'usd';
};
