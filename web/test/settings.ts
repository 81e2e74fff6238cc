import { DEFAULT_FLAGS, DEFAULT_PIPELINE, type Settings, STRENGTH_RANGE } from '@clearframe/contract';

const LIMITS = { maxSizeMb: 60, maxLength: 60, maxPeriodSizeMb: 240, maxPeriodLength: 240 };
const PERIOD = { priceId: 'p', introPriceId: null, exports: 20, videoLimits: LIMITS, deprecatedPrices: [] };
const strategy = <Id extends 'personal' | 'business'>(id: Id) => ({
  id,
  titleKey: 't',
  subtitleKey: 's',
  features: [],
  customPrice: false,
  periods: { weekly: PERIOD, monthly: PERIOD, yearly: PERIOD },
});
const PACK = { priceId: 'p', exports: 1 };
export const SETTINGS: Settings = {
  ...DEFAULT_FLAGS,
  paymentStrategies: {
    personal: strategy('personal'),
    business: strategy('business'),
    oneTime: {
      id: 'oneTime',
      exports: 20,
      periods: { singleExport: PACK, threeExports: PACK, tenExports: PACK, twentyExports: PACK },
    },
  },
  aiPipelineConfig: [
    {
      tool: 'face_enhance',
      section: 'face',
      models: [
        { model: 'base', requiredPlan: 'base' },
        { model: 'v2', requiredPlan: 'personal' },
        { model: 'v9', requiredPlan: 'business' },
      ],
      strength: STRENGTH_RANGE,
    },
    {
      tool: 'color_enhance',
      section: 'color',
      models: [{ model: 'golden', requiredPlan: 'business' }],
      strength: STRENGTH_RANGE,
    },
  ],
  upscaleConfig: { factors: [1, 2, 4], maxSide: 2048, maxPixels: 100_000_000 },
  remoteAiPipelineConfig: DEFAULT_PIPELINE,
  currency: 'usd',
  payments: { stripe: null, paypal: null },
  isPurchaseBlocked: false,
  hasCaptcha: false,
  videos: { available: true },
  experiments: {},
};
