import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { AiPipeline } from '../pipeline/tools.js';
import { CURRENCIES } from '../plans/catalogue.js';
import { FLAG_NAMES, FLAGS, type FlagName } from '../settings/flags.js';
import { OfferVersion } from './payments.js';

const VideoLimitsShape = z
  .object({ maxSizeMb: z.int(), maxLength: z.int(), maxPeriodSizeMb: z.int(), maxPeriodLength: z.int() })
  .meta({ id: 'VideoLimits' });

const StrategyPeriod = z
  .object({
    priceId: z.string(),
    /** Price of the first week; null where there is none. */
    introPriceId: z.string().nullable(),
    /** Null: unlimited. */
    exports: z.int().nullable(),
    videoLimits: VideoLimitsShape,
    /** Ids of former prices. */
    deprecatedPrices: z.array(z.string()),
  })
  .meta({ id: 'StrategyPeriod' });

const Strategy = z
  .object({
    id: z.enum(['personal', 'business']),
    /** Message keys in the section `tiers`. */
    titleKey: z.string(),
    subtitleKey: z.string(),
    features: z.array(z.object({ textKey: z.string(), check: z.boolean() })),
    /** Price on request. */
    customPrice: z.boolean(),
    periods: z.object({ weekly: StrategyPeriod, monthly: StrategyPeriod, yearly: StrategyPeriod }),
  })
  .meta({ id: 'PaymentStrategy' });

const PackOffer = z.object({ priceId: z.string(), exports: z.int() }).meta({ id: 'PackOffer' });

const ToolOffer = z
  .object({
    tool: z.enum(['face_enhance', 'face_lifting', 'background_enhance', 'bokeh', 'color_enhance']),
    section: z.enum(['face', 'background', 'color']),
    models: z.array(z.object({ model: z.string(), requiredPlan: z.enum(['base', 'personal', 'business']) })),
  })
  .meta({ id: 'ToolOffer' });

const flagShape = Object.fromEntries(FLAG_NAMES.map((name) => [name, FLAGS[name].schema])) as {
  [Name in FlagName]: (typeof FLAGS)[Name]['schema'];
};

/** Settings a client needs before rendering. */
export const Settings = z
  .object({
    ...flagShape,
    paymentStrategies: z.object({
      personal: Strategy,
      business: Strategy,
      oneTime: z.object({
        id: z.literal('oneTime'),
        /** Downloads of the preselected pack. */
        exports: z.int(),
        periods: z.object({
          singleExport: PackOffer,
          threeExports: PackOffer,
          tenExports: PackOffer,
          twentyExports: PackOffer,
        }),
      }),
    }),
    /** Tools and models on offer, in order; toolbars render from it. */
    aiPipelineConfig: z.array(ToolOffer),
    /** Tools of a photo for which neither the request nor saved preferences name any. */
    remoteAiPipelineConfig: AiPipeline,
    currency: z.enum(CURRENCIES),
    /** For payment forms in the browser; null: `POST /checkouts` with a `returnPath` returns the provider's own page. */
    payments: z.object({
      stripe: z.object({ publishableKey: z.string(), scriptUrl: z.url() }).nullable(),
      paypal: z.object({ clientId: z.string(), scriptUrl: z.url() }).nullable(),
    }),
    /** Purchases are blocked in the visitor's country. */
    isPurchaseBlocked: z.boolean(),
    /** Payments and support requests are verified by a captcha. */
    hasCaptcha: z.boolean(),
    /** `available`: workers can enhance videos; true until one reports otherwise. */
    videos: z.object({ available: z.boolean() }),
    /** Experiment → segment, of the running experiments that the visitor takes part in. */
    experiments: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Settings' });
export type Settings = z.infer<typeof Settings>;

/** Flags and offers for a visitor. */
export const settingsRoutes = {
  getSettings: defineRoute({
    method: 'POST',
    path: '/settings',
    tag: 'settings',
    summary: 'Get flags, prices and tools for this device',
    allow: 'anyone',
    body: z
      .object({
        localStorageId: z.string().min(1).max(200),
        deviceType: z.string().min(1).max(50),
        language: z.string().min(1).max(35),
        version: OfferVersion,
        /** Absent: of the visitor's country, else of the region in `Accept-Language`, else usd. */
        currency: z.enum(CURRENCIES).nullish(),
      })
      .meta({ id: 'ReadSettings' }),
    responses: { 200: Settings },
    errors: [],
    limit: 'reads',
  }),
} as const;
