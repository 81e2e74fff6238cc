import {
  type Currency,
  DEFAULT_PIPELINE,
  inMilliseconds,
  type Settings,
  VIDEO_AVAILABILITY,
  VIDEO_AVAILABILITY_KEY,
  withVersion,
} from '@clearframe/contract';
import { Cached } from '@clearframe/runtime/concurrency';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { type ExperimentVisitor, VisitorFlags } from '../experiments/experiments.service.js';
import { CaptchaConfig } from '../payment-gate/captcha.js';
import { CardProvider, WalletProvider } from '../providers/payment-provider.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import { paymentStrategiesIn } from './payment-strategies.js';
import { TOOL_OFFERS, upscaleOffer } from './tool-offers.js';

const CACHE_MS = inMilliseconds.seconds(5);

/** Whether workers can enhance videos. */
@Injectable()
export class VideoAvailability {
  private readonly cached = new Cached(CACHE_MS, async () => {
    const availability = await this.redis.get(VIDEO_AVAILABILITY_KEY).catch(() => null);
    return availability !== VIDEO_AVAILABILITY.off;
  });

  constructor(private readonly redis: RedisClient) {}

  /** True unless all workers that reported have no ffmpeg; also while Redis is unavailable. */
  isAvailable(): Promise<boolean> {
    return this.cached.get();
  }
}

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
      aiPipelineConfig: TOOL_OFFERS.filter(({ tool }) => tool !== 'repair' || flags.expRepair),
      upscaleConfig: upscaleOffer(flags.removeCap),
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
