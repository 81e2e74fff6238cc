import type { LoaderFunctionArgs } from '@remix-run/node';
import { translatorFor } from '../../i18n/i18n.server';
import { fetchMe } from '../../session/me.server';
import type { Exchange } from '../../session/visitor.server';
import { requireService } from '../settings/service-country.server';
import { offersFor } from './offers.server';
import type { PaywallData, PaywallQuery } from './paywall-address';

const PARAMETERS = ['taskId', 'previousAction', 'version', 'view', 'period'] as const;

export async function loadPaywall({ request, context }: LoaderFunctionArgs) {
  requireService(request, context);
  const [loaded, t] = await Promise.all([paywallDataOf({ request, context }), translatorFor(request, 'tiers')]);
  return { query: queryIn(new URL(request.url).searchParams), loaded, title: t('title') };
}

export const loadPaywallData = async (args: LoaderFunctionArgs): Promise<Response> =>
  Response.json(await paywallDataOf(args));

async function paywallDataOf({ request, context }: Exchange): Promise<PaywallData> {
  const user = await fetchMe({ request, context });
  return { offers: await offersFor(request, context, user), isGuest: user?.isGuest ?? true };
}

const queryIn = (parameters: URLSearchParams): PaywallQuery =>
  Object.fromEntries(
    PARAMETERS.flatMap((name) => {
      const value = parameters.get(name);
      return value ? [[name, value]] : [];
    }),
  );
