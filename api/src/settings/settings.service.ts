import { type Currency, type Settings, withVersion } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { CardProvider, ProviderPrices, WalletProvider } from '../billing/providers/port/payment-provider.js';
import { FlagsService } from '../platform/flags/flags.service.js';
import { CaptchaConfig } from './payment-gate/captcha.config.js';
import { paymentStrategiesIn } from './payment-strategies.js';
import { TOOL_OFFERS } from './tool-offers.js';
import { VideoAvailability } from './video-availability.js';

interface SettingsRequest {
  readonly currency: Currency;
  /** The `version` query parameter: `ip` forces the intro price, `ft` the free trial. */
  readonly version: string | null | undefined;
  readonly isPurchaseBlocked: boolean;
}

@Injectable()
export class SettingsService {
  constructor(
    private readonly flags: FlagsService,
    private readonly prices: ProviderPrices,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
    private readonly videos: VideoAvailability,
    private readonly captcha: CaptchaConfig,
  ) {}

  async read({ currency, version, isPurchaseBlocked }: SettingsRequest): Promise<Settings> {
    const flags = withVersion(await this.flags.current(), version);
    const customPriced = flags.businessCustomPriceEnabled ? (['business'] as const) : [];
    return {
      ...flags,
      paymentStrategies: paymentStrategiesIn(currency, customPriced, (price) => this.prices.idOf(price)),
      aiPipelineConfig: [...TOOL_OFFERS],
      currency,
      payments: { stripe: this.cards.browserForm(), paypal: this.wallet.browserForm() },
      isPurchaseBlocked,
      hasCaptcha: this.captcha.isConfigured,
      videos: { available: await this.videos.isAvailable() },
      experiments: {},
    };
  }
}
