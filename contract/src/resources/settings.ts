import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { AiPipeline } from '../pipeline/tools.js';
import { CURRENCIES } from '../plans/catalogue.js';
import { FLAG_NAMES, FLAGS, type FlagName } from '../settings/flags.js';
import { OfferVersion } from './payments.js';

const VideoLimitsShape = z
  .object({
    maxSizeMb: z.int().describe('Most megabytes (1,000,000 bytes) of one video.'),
    maxLength: z.int().describe('Most seconds of one video.'),
    maxPeriodSizeMb: z.int().describe('Most megabytes of a week.'),
    maxPeriodLength: z.int().describe('Most seconds of a week.'),
  })
  .meta({ id: 'VideoLimits' });

const StrategyPeriod = z
  .object({
    priceId: z.string().describe('The provider’s id of the price.'),
    introPriceId: z
      .string()
      .nullable()
      .describe('The provider’s id of the price of the first week; null where there is none.'),
    exports: z.int().nullable().describe('Downloads of the period; null: unlimited.'),
    videoLimits: VideoLimitsShape.describe('Limits of videos.'),
    deprecatedPrices: z.array(z.string()).describe('Ids of former prices.'),
  })
  .meta({ id: 'StrategyPeriod' });

const Strategy = z
  .object({
    id: z.enum(['personal', 'business']).describe('The plan.'),
    titleKey: z.string().describe('Key of its title among the messages of the section `tiers`.'),
    subtitleKey: z.string().describe('Key of its subtitle among the messages of the section `tiers`.'),
    features: z
      .array(
        z.object({
          textKey: z.string().describe('Key of its text among the messages of the section `tiers`.'),
          check: z.boolean().describe('The plan has it.'),
        }),
      )
      .describe('What the plan contains, in order.'),
    customPrice: z.boolean().describe('The price is on request.'),
    periods: z
      .object({
        weekly: StrategyPeriod.describe('Billed each week.'),
        monthly: StrategyPeriod.describe('Billed each month.'),
        yearly: StrategyPeriod.describe('Billed each year.'),
      })
      .describe('Prices and limits by billing period.'),
  })
  .meta({ id: 'PaymentStrategy' });

const PackOffer = z
  .object({
    priceId: z.string().describe('The provider’s id of the price.'),
    exports: z.int().describe('Downloads of the pack.'),
  })
  .meta({ id: 'PackOffer' });

const ToolOffer = z
  .object({
    tool: z
      .enum(['face_enhance', 'face_lifting', 'background_enhance', 'repair', 'bokeh', 'fade', 'color_enhance'])
      .describe('The tool.'),
    section: z.enum(['face', 'background', 'color']).describe('Where toolbars show it.'),
    models: z
      .array(
        z.object({
          model: z.string().describe('The model.'),
          requiredPlan: z
            .enum(['base', 'personal', 'business'])
            .describe('The least plan that has it; `base` is free.'),
        }),
      )
      .describe('Its models, in order.'),
    strength: z
      .object({
        min: z.number().describe('Least.'),
        max: z.number().describe('Most.'),
        default: z.number().describe('Where a pipeline names none.'),
      })
      .describe('Range of its `strength`, the share of its effect.'),
  })
  .meta({ id: 'ToolOffer' });

const UpscaleOffer = z
  .object({
    factors: z
      .array(z.int())
      .describe('Pixels of the result per pixel of the original, on each side, in rising order; 1 keeps the size.'),
    maxSide: z
      .int()
      .describe('Most pixels a side of a result in standard size; a larger one asks for `output_size`: `original`.'),
    maxPixels: z.int().describe('Most pixels of a result in original size.'),
  })
  .meta({ id: 'UpscaleOffer' });

const flagShape = Object.fromEntries(
  FLAG_NAMES.map((name) => [name, FLAGS[name].schema.describe(FLAGS[name].effect)]),
) as {
  [Name in FlagName]: (typeof FLAGS)[Name]['schema'];
};

/** Settings a client needs before rendering. */
export const Settings = z
  .object({
    ...flagShape,
    paymentStrategies: z
      .object({
        personal: Strategy.describe('The Personal plan.'),
        business: Strategy.describe('The Business plan.'),
        oneTime: z
          .object({
            id: z.literal('oneTime').describe('Always `oneTime`.'),
            exports: z.int().describe('Downloads of the preselected pack.'),
            periods: z
              .object({
                singleExport: PackOffer.describe('One download.'),
                threeExports: PackOffer.describe('Three downloads.'),
                tenExports: PackOffer.describe('Ten downloads.'),
                twentyExports: PackOffer.describe('Twenty downloads.'),
              })
              .describe('The packs.'),
          })
          .describe('Packs of downloads.'),
      })
      .describe('What is sold.'),
    aiPipelineConfig: z.array(ToolOffer).describe('Tools and models on offer, in order; toolbars render from it.'),
    upscaleConfig: UpscaleOffer.describe('How far pictures can be enlarged.'),
    remoteAiPipelineConfig: AiPipeline.describe(
      'Tools of a picture for which neither the request nor saved preferences name any.',
    ),
    currency: z.enum(CURRENCIES).describe('Currency of the prices.'),
    payments: z
      .object({
        stripe: z
          .object({
            publishableKey: z.string().describe('Publishable key of the provider.'),
            scriptUrl: z.url().describe('Address of the provider’s script.'),
          })
          .nullable()
          .describe('Cards; null where cards have no form in the browser.'),
        paypal: z
          .object({
            clientId: z.string().describe('Public id of the product at the provider.'),
            scriptUrl: z.url().describe('Address of the provider’s script.'),
          })
          .nullable()
          .describe('The wallet; null where it has no button in the browser.'),
      })
      .describe(
        'For payment forms in the browser; null where `POST /checkouts` with a `return_path` returns the provider’s own page.',
      ),
    isPurchaseBlocked: z.boolean().describe('Purchases are blocked in the country of the visitor.'),
    hasCaptcha: z.boolean().describe('Payments and support requests need a captcha.'),
    videos: z
      .object({ available: z.boolean().describe('Workers can enhance videos; true until one reports otherwise.') })
      .describe('State of the enhancement of videos.'),
    experiments: z
      .record(z.string(), z.string())
      .describe('Segment by experiment, of the running experiments that the visitor takes part in.'),
  })
  .meta({ id: 'Settings' });
export type Settings = z.infer<typeof Settings>;

/** Flags and offers for a visitor. */
export const settingsRoutes = {
  getSettings: defineRoute({
    method: 'POST',
    path: '/settings',
    tag: 'settings',
    summary: 'Get settings',
    description: 'Returns flags, prices and tools for a device.',
    allow: 'anyone',
    body: z
      .object({
        localStorageId: z
          .string()
          .min(1)
          .max(200)
          .describe('Random id of the browser, by which experiments are assigned; 1 to 200 characters.'),
        deviceType: z.string().min(1).max(50).describe('Kind of the device, such as `desktop`; 1 to 50 characters.'),
        language: z.string().min(1).max(35).describe('Language of the page.'),
        version: OfferVersion,
        currency: z
          .enum(CURRENCIES)
          .nullish()
          .describe(
            'Currency to show. Default: that of the visitor’s country, else of the region in `Accept-Language`, else `usd`.',
          ),
      })
      .meta({ id: 'ReadSettings' }),
    responses: { 200: Settings },
    errors: [],
    limit: 'reads',
  }),
} as const;
