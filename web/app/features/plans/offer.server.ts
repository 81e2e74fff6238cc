import { dateFormat, type User } from '@clearframe/contract';
import { type AppLoadContext, data, type LoaderFunctionArgs } from '@remix-run/node';
import { asApiError, throwPageFor } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { loadMe } from '../../session/me.server';
import { userOrNull } from '../upload/uploader.server';
import { CALLS_TO_ACTION, type OfferData } from './offer-address';
import type { OffersView } from './offers';
import { offersFor } from './offers.server';

export async function loadOffer({ request, params, context }: LoaderFunctionArgs) {
  const topic = CALLS_TO_ACTION.find((known) => known === params.topic);
  if (!topic) return throwPageFor('request.not_found', context);
  const headers = new Headers({ 'cache-control': 'no-store' });
  const user = await loadMe({ request, context, headers });
  const [offer, t] = await Promise.all([offerDataOf(user, request, context), translatorFor(request, 'tiers')]);
  const taskId = new URL(request.url).searchParams.get('taskId');
  return data({ topic, taskId, offer, title: t(`offer.${topic}.title`) }, { headers });
}

export async function loadOfferData({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const user = await userOrNull(request, context);
  return Response.json(await offerDataOf(user, request, context), { headers: { 'cache-control': 'no-store' } });
}

async function offerDataOf(user: User | null, request: Request, context: AppLoadContext): Promise<OfferData> {
  const [offers, language] = await Promise.all([offersOrNull(request, context, user), languageOf(request)]);
  const resetsAt = user?.nextRenewImageDownloadLimitsDatetime;
  const format = dateFormat(language);
  return { isGuest: user?.isGuest ?? true, offers, resetsAt: resetsAt ? format(new Date(resetsAt)) : null };
}

async function offersOrNull(request: Request, context: AppLoadContext, user: User | null): Promise<OffersView | null> {
  try {
    return await offersFor(request, context, user);
  } catch (error) {
    request.signal.throwIfAborted();
    asApiError(error, context);
    return null;
  }
}
