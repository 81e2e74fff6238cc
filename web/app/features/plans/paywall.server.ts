import { type LoaderFunctionArgs } from '@remix-run/node';
import { translatorFor } from '../../i18n/i18n.server';
import { fetchMe } from '../../session/me.server';
import { requireService } from '../settings/service-country.server';
import { offersFor } from './offers.server';
import type { PaywallData, PaywallQuery } from './paywall-address';

const PARAMETERS = ['taskId', 'previousAction', 'version', 'view', 'period'] as const;
export async function loadPaywall({ request, context }: LoaderFunctionArgs) {
  requireService(request, context);
  const user = await fetchMe({ request, context });
  const [offers, t] = await Promise.all([offersFor(request, context, user), translatorFor(request, 'tiers')]);
  const query = queryIn(new URL(request.url).searchParams);
  const loaded: PaywallData = { offers, isGuest: user?.isGuest ?? true };
  return { query, loaded, title: t('title') };
}

export async function loadPaywallData({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const user = await fetchMe({ request, context });
  const answer: PaywallData = { offers: await offersFor(request, context, user), isGuest: user?.isGuest ?? true };
  return Response.json(answer);
}

const queryIn = (parameters: URLSearchParams): PaywallQuery =>
  Object.fromEntries(
    PARAMETERS.flatMap((name) => {
      const value = parameters.get(name);
      return value ? [[name, value]] : [];
    }),
  );
