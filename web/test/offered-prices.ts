import {
  type Currency,
  DEFAULT_FLAGS,
  introPriceOf,
  type Period,
  type Plan,
  PRICES,
  Settings,
  toWire,
  VIDEO_LIMITS,
  withVersion,
} from '@clearframe/contract';
import { sendJson, sendProblem, startBackend } from './backend';
import { contextFor } from './context';
import { SETTINGS } from './settings';

export type FlagChanges = Partial<{ [Name in keyof typeof DEFAULT_FLAGS]: (typeof DEFAULT_FLAGS)[Name] }>;

function settingsIn(currency: Currency, flags: FlagChanges): Settings {
  const strategy = <Id extends Plan>(id: Id) => {
    const period = (name: Period) => ({
      priceId: `${id}_${name}_${currency}`,
      introPriceId: introPriceOf(`${id}_${name}_${currency}`)?.id ?? null,
      exports: id === 'personal' ? 20 : null,
      videoLimits: VIDEO_LIMITS[id],
      deprecatedPrices: [],
    });
    const periods = { weekly: period('weekly'), monthly: period('monthly'), yearly: period('yearly') };
    const customPrice = id === 'business' && (flags.businessCustomPriceEnabled ?? false);
    const features = id === 'business' ? [{ textKey: 'features.plugin', check: true }] : [];
    return { ...SETTINGS.paymentStrategies[id], customPrice, features, periods };
  };
  const pack = (name: string, exports: number) => ({ priceId: `${name}_${currency}`, exports });
  return {
    ...SETTINGS,
    ...DEFAULT_FLAGS,
    ...flags,
    currency,
    paymentStrategies: {
      personal: strategy('personal'),
      business: strategy('business'),
      oneTime: {
        id: 'oneTime',
        exports: 20,
        periods: {
          singleExport: pack('single_export', 1),
          threeExports: pack('three_exports', 3),
          tenExports: pack('ten_exports', 10),
          twentyExports: pack('twenty_exports', 20),
        },
      },
    },
  };
}

const listed = (id: string) => {
  const price = PRICES.find((one) => one.id === id);
  return (
    price && {
      id,
      price_id: id,
      amount_cents: price.amountCents,
      currency: price.currency,
      recurring_interval: price.kind === 'plan' ? 'week' : null,
      recurring_interval_count: null,
      exports: 'exports' in price ? price.exports : null,
      paypal_plan_id: null,
      paypal_plan_no_ft_id: null,
    }
  );
};

/**
 * A context whose backend offers every price of the catalogue in the requested currency.
 * @param answers by the end of a path, on the wire
 */
export async function contextWith(flags: FlagChanges = {}, answers: Readonly<Record<string, unknown>> = {}) {
  const backend = await startBackend(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://api.test');
    if (url.pathname.endsWith('/settings')) {
      const body = JSON.parse((await request.toArray()).join(''));
      const settings = settingsIn(body.currency, flags);
      return sendJson(response, 200, toWire(Settings, { ...settings, ...withVersion(settings, body.version) }));
    }
    const answer = Object.entries(answers).find(([path]) => url.pathname.endsWith(path));
    if (answer) return sendJson(response, 200, answer[1]);
    const prices = url.searchParams.getAll('price_id').map(listed);
    if (prices.includes(undefined)) return sendProblem(response, 'prices.not_found');
    return sendJson(response, 200, { prices });
  });
  return contextFor(backend.url);
}
