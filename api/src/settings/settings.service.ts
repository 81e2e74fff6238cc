import { type Currency, type Settings, withVersion } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { ProviderPrices } from '../billing/payment-provider.js';
import { FlagsService } from './flags.service.js';
import { paymentStrategiesIn } from './payment-strategies.js';
import { TOOL_OFFERS } from './tool-offers.js';

/** What a client is told before it draws anything. */
@Injectable()
export class SettingsService {
  constructor(
    private readonly flags: FlagsService,
    private readonly prices: ProviderPrices,
  ) {}

  /** @param version of the page's address: `ip` forces the intro price, `ft` the free trial */
  async read(currency: Currency, version: string | null | undefined): Promise<Settings> {
    return {
      ...withVersion(await this.flags.current(), version),
      paymentStrategies: paymentStrategiesIn(currency, (price) => this.prices.idOf(price)),
      aiPipelineConfig: [...TOOL_OFFERS],
      currency,
      experiments: {},
    };
  }
}
