import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { asApiError, problemResponse } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { loadMe } from '../../session/me.server';
import { requireService } from '../settings/service-country.server';
import { offersFor } from './offers.server';
import type { PaywallData, PaywallQuery } from './paywall-address';

const PARAMETERS = ['taskId', 'previousAction', 'version', 'view', 'period'] as const;
const NO_STORE = { 'cache-control': 'no-store' };

export async function loadPaywall({ request, context }: LoaderFunctionArgs) {
  requireService(request, context);
  const headers = new Headers(NO_STORE);
  const user = await loadMe({ request, context, headers });
  const [offers, t] = await Promise.all([offersFor(request, context, user), translatorFor(request, 'tiers')]);
  const query = queryIn(new URL(request.url).searchParams);
  const loaded: PaywallData = { offers, isGuest: user?.isGuest ?? true };
  return data({ query, loaded, title: t('title') }, { headers });
}

export async function loadPaywallData({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const headers = new Headers(NO_STORE);
  try {
    const user = await loadMe({ request, context, headers });
    const answer: PaywallData = {
      offers: await offersFor(request, context, user),
      isGuest: user?.isGuest ?? true,
    };
    return Response.json(answer, { headers });
  } catch (error) {
    if (error instanceof Response) throw error;
    request.signal.throwIfAborted();
    return problemResponse(asApiError(error, context), headers);
  }
}

const queryIn = (parameters: URLSearchParams): PaywallQuery =>
  Object.fromEntries(
    PARAMETERS.flatMap((name) => {
      const value = parameters.get(name);
      return value ? [[name, value]] : [];
    }),
  );
