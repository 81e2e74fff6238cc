import { type Currency, DEFAULT_PIPELINE, type Settings, withVersion } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { type ExperimentVisitor, VisitorFlags } from '../experiments/experiments.service.js';
import { CaptchaConfig } from '../payment-gate/captcha.config.js';
import { CardProvider } from '../providers/card-provider.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import { WalletProvider } from '../providers/wallet-provider.js';
import { paymentStrategiesIn } from './payment-strategies.js';
import { TOOL_OFFERS } from './tool-offers.js';
import { VideoAvailability } from './video-availability.js';

interface SettingsRequest {
  readonly visitor: ExperimentVisitor;
  readonly currency: Currency;
  /** The `version` query parameter: `ip` forces the intro price, `ft` the free trial. */
  readonly version: string | null | undefined;
  readonly isPurchaseBlocked: boolean;
}

@Injectable()
export class SettingsService {
  constructor(
    private readonly flags: VisitorFlags,
    private readonly prices: ProviderPrices,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
    private readonly videos: VideoAvailability,
    private readonly captcha: CaptchaConfig,
  ) {}

  async read({ visitor, currency, version, isPurchaseBlocked }: SettingsRequest): Promise<Settings> {
    const { flags: ofVisitor, experiments } = await this.flags.of(visitor);
    const flags = withVersion(ofVisitor, version);
    const customPriced = flags.businessCustomPriceEnabled ? (['business'] as const) : [];
    return {
      ...flags,
      paymentStrategies: paymentStrategiesIn(currency, customPriced, (price) => this.prices.idOf(price)),
      aiPipelineConfig: [...TOOL_OFFERS],
      remoteAiPipelineConfig: DEFAULT_PIPELINE,
      currency,
      payments: { stripe: this.cards.browserForm(), paypal: this.wallet.browserForm() },
      isPurchaseBlocked,
      hasCaptcha: this.captcha.isConfigured,
      videos: { available: await this.videos.isAvailable() },
      experiments: { ...experiments },
    };
  }
}
