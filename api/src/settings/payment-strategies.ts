import {
  type Currency,
  deprecatedPricesOf,
  introPriceOf,
  PACK_EXPORTS,
  type Pack,
  type Period,
  PLAN_EXPORTS,
  type Plan,
  packPriceOf,
  planPriceOf,
  type Settings,
  VIDEO_LIMITS,
} from '@clearframe/contract';

type Strategies = Settings['paymentStrategies'];
type Strategy = Strategies['personal'];

/** Preselected (spec 1, section 3). */
const STANDARD_PACK: Pack = 'twenty_exports';

const FEATURES: Readonly<Record<Plan, readonly { readonly textKey: string; readonly check: boolean }[]>> = {
  personal: [
    { textKey: 'features.noWatermark', check: true },
    { textKey: 'features.personalExports', check: true },
    { textKey: 'features.faceModels', check: true },
    { textKey: 'features.bokeh', check: true },
    { textKey: 'features.personalVideo', check: true },
    { textKey: 'features.jpeg', check: true },
    { textKey: 'features.batch', check: false },
    { textKey: 'features.beautify', check: false },
    { textKey: 'features.commercial', check: false },
  ],
  business: [
    { textKey: 'features.noWatermark', check: true },
    { textKey: 'features.unlimitedExports', check: true },
    { textKey: 'features.allModels', check: true },
    { textKey: 'features.beautify', check: true },
    { textKey: 'features.businessVideo', check: true },
    { textKey: 'features.allFormats', check: true },
    { textKey: 'features.batch', check: true },
    { textKey: 'features.plugin', check: true },
    { textKey: 'features.commercial', check: true },
  ],
};

export function paymentStrategiesIn(
  currency: Currency,
  customPriced: readonly Plan[],
  idOf: (price: string) => string,
): Strategies {
  const period = (plan: Plan, name: Period): Strategy['periods'][Period] => {
    const price = planPriceOf(plan, name, currency);
    const intro = introPriceOf(price.id);
    return {
      priceId: idOf(price.id),
      introPriceId: intro ? idOf(intro.id) : null,
      exports: PLAN_EXPORTS[plan][name],
      videoLimits: VIDEO_LIMITS[plan],
      deprecatedPrices: deprecatedPricesOf(plan, name, currency).map(({ id }) => idOf(id)),
    };
  };
  const strategy = (id: Plan): Strategy => ({
    id,
    titleKey: `plans.${id}.title`,
    subtitleKey: `plans.${id}.subtitle`,
    features: [...FEATURES[id]],
    customPrice: customPriced.includes(id),
    periods: { weekly: period(id, 'weekly'), monthly: period(id, 'monthly'), yearly: period(id, 'yearly') },
  });
  const pack = (name: Pack) => {
    const { id, exports } = packPriceOf(name, currency);
    return { priceId: idOf(id), exports };
  };
  return {
    personal: strategy('personal'),
    business: strategy('business'),
    oneTime: {
      id: 'oneTime',
      exports: PACK_EXPORTS[STANDARD_PACK],
      periods: {
        singleExport: pack('single_export'),
        threeExports: pack('three_exports'),
        tenExports: pack('ten_exports'),
        twentyExports: pack('twenty_exports'),
      },
    },
  };
}
